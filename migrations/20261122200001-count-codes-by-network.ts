import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Code requests and wrong codes are counted per network, so that a stranger cannot lock the owner out. */
export class CountCodesByNetwork20261122200001 implements MigrationInterface {
  name = 'CountCodesByNetwork20261122200001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE code_destinations
        ADD COLUMN window_started_at timestamptz NOT NULL DEFAULT now(),
        ADD COLUMN sent_in_window integer NOT NULL DEFAULT 0,
        ADD COLUMN failed_at timestamptz,
        ADD COLUMN waits_until timestamptz,
        DROP COLUMN hour_started_at,
        DROP COLUMN sent_in_hour,
        DROP COLUMN day_started_at,
        DROP COLUMN sent_in_day`);
    await runner.query('UPDATE code_destinations SET failures = 0 WHERE failures > 0');
    await runner.query(`
      CREATE TABLE code_networks (
        environment_id uuid NOT NULL,
        destination_hash bytea NOT NULL,
        network_hash bytea NOT NULL,
        last_sent_at timestamptz,
        hour_started_at timestamptz NOT NULL DEFAULT now(),
        sent_in_hour integer NOT NULL DEFAULT 0,
        day_started_at timestamptz NOT NULL DEFAULT now(),
        sent_in_day integer NOT NULL DEFAULT 0,
        failures integer NOT NULL DEFAULT 0,
        failed_at timestamptz,
        waits_until timestamptz,
        signed_in_at timestamptz,
        seen_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, destination_hash, network_hash),
        CONSTRAINT code_networks_destination FOREIGN KEY (environment_id, destination_hash)
          REFERENCES code_destinations (environment_id, destination_hash) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX code_networks_seen ON code_networks (seen_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE code_networks');
    await runner.query(`
      ALTER TABLE code_destinations
        DROP COLUMN window_started_at,
        DROP COLUMN sent_in_window,
        DROP COLUMN failed_at,
        DROP COLUMN waits_until,
        ADD COLUMN hour_started_at timestamptz NOT NULL DEFAULT now(),
        ADD COLUMN sent_in_hour integer NOT NULL DEFAULT 0,
        ADD COLUMN day_started_at timestamptz NOT NULL DEFAULT now(),
        ADD COLUMN sent_in_day integer NOT NULL DEFAULT 0`);
  }
}
