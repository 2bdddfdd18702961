import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The request that caused an event, so that much later deliveries can name it. Nullable, so no row is rewritten. */
export class AddCauseToEvents20261121030101 implements MigrationInterface {
  name = 'AddCauseToEvents20261121030101';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE events ADD COLUMN request_id text, ADD COLUMN trace_parent text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE events DROP COLUMN trace_parent, DROP COLUMN request_id`);
  }
}
