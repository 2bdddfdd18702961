import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a session completed its second factor; existing ones with a factor expire as before. */
export class NoteSecondFactorsOfSessions20261128100001 implements MigrationInterface {
  name = 'NoteSecondFactorsOfSessions20261128100001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions ADD COLUMN raised_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP COLUMN raised_at');
  }
}
