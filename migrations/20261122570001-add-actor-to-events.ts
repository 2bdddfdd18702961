import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The member or API token that caused an event, unless an end user did. Nullable, so no row is rewritten. */
export class AddActorToEvents20261122570001 implements MigrationInterface {
  name = 'AddActorToEvents20261122570001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events ADD COLUMN actor jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events DROP COLUMN actor');
  }
}
