import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A token cannot exceed its creator's role, so that role is stored. Existing tokens get their creator's current role;
 * tokens of creators who have left, which were deliberately kept, remain unchanged. The default is for instances of the
 * previous version, which still create tokens during a deployment.
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
