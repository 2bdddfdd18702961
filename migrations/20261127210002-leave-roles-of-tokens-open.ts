import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An instance of the version before makes tokens without a role while a deployment is replaced. They reach as far as their
 * maker does, and not as far as an owner.
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
