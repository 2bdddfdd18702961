import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A token reaches no further than whoever made it, so it keeps that role. Of tokens that there are, it is the role that
 * the maker has now; whoever has left was looked at by those who kept the tokens, which go on as they were. The default is
 * for instances of the version before, which go on making tokens while a deployment is replaced.
 */
export class KeepRolesOfTokenMakers20261127130001 implements MigrationInterface {
  name = 'KeepRolesOfTokenMakers20261127130001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_tokens ADD COLUMN role text NOT NULL DEFAULT 'owner',
        ADD CONSTRAINT api_tokens_role CHECK (role IN ('owner', 'admin', 'developer', 'viewer'))`);
    await runner.query(`
      UPDATE api_tokens t SET role = m.role FROM environments e, members m
      WHERE e.id = t.environment_id AND m.organization_id = e.organization_id AND m.user_id = t.created_by`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_tokens DROP COLUMN role');
  }
}
