import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a session was given its second factor; those that have one already end as they would have. */
export class NoteSecondFactorsOfSessions20261128100001 implements MigrationInterface {
  name = 'NoteSecondFactorsOfSessions20261128100001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions ADD COLUMN raised_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP COLUMN raised_at');
  }
}
