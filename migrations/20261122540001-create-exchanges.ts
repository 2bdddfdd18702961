import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Exchanges whose accounts an environment's users may use, one record each. */
export class CreateExchanges20261122540001 implements MigrationInterface {
  name = 'CreateExchanges20261122540001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE exchanges (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        exchange text NOT NULL,
        social_provider text NOT NULL,
        on_ramp_provider text,
        enabled_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT exchanges_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX exchanges_once ON exchanges (environment_id, exchange)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE exchanges');
  }
}
