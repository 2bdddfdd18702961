import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Erased users by id only, until the events about them are removed as well. */
export class CreateErasures20261122240002 implements MigrationInterface {
  name = 'CreateErasures20261122240002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE erasures (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        user_ids uuid[] NOT NULL,
        scrubbed_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT erasures_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX erasures_open ON erasures (created_at) WHERE scrubbed_at IS NULL');
    await runner.query('CREATE INDEX erasures_old ON erasures (scrubbed_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE erasures');
  }
}
