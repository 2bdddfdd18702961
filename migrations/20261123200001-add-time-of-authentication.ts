import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For external services, authentication may precede sign-in by far. Nullable, so no row is rewritten. */
export class AddTimeOfAuthentication20261123200001 implements MigrationInterface {
  name = 'AddTimeOfAuthentication20261123200001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions ADD COLUMN authenticated_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sessions DROP COLUMN authenticated_at');
  }
}
