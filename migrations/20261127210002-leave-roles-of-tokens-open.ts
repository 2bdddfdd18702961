import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Instances of the previous version create tokens without a role during a deployment. These get their creator's role
 * rather than that of an owner.
 */
export class LeaveRolesOfTokensOpen20261127210002 implements MigrationInterface {
  name = 'LeaveRolesOfTokensOpen20261127210002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_tokens ALTER COLUMN role DROP NOT NULL, ALTER COLUMN role DROP DEFAULT');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("UPDATE api_tokens SET role = 'viewer' WHERE role IS NULL");
    await runner.query("ALTER TABLE api_tokens ALTER COLUMN role SET DEFAULT 'owner', ALTER COLUMN role SET NOT NULL");
  }
}
