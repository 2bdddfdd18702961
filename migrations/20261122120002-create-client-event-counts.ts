import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events reported by pages, counted by name and day. */
export class CreateClientEventCounts20261122120002 implements MigrationInterface {
  name = 'CreateClientEventCounts20261122120002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE client_event_counts (
        environment_id uuid NOT NULL,
        day timestamptz NOT NULL,
        event text NOT NULL,
        count bigint NOT NULL,
        PRIMARY KEY (environment_id, day, event),
        CONSTRAINT client_event_counts_environment
          FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX client_event_counts_old ON client_event_counts (day)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE client_event_counts');
  }
}
