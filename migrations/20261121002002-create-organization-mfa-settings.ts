import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which second factors an organization accepts from its members. */
export class CreateOrganizationMfaSettings20261121002002 implements MigrationInterface {
  name = 'CreateOrganizationMfaSettings20261121002002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE organization_mfa_settings (
        organization_id uuid NOT NULL,
        id uuid NOT NULL PRIMARY KEY,
        mfa_device_type text NOT NULL,
        enabled_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT organization_mfa_settings_type CHECK (mfa_device_type IN ('totp', 'passkey', 'email')),
        CONSTRAINT organization_mfa_settings_organization FOREIGN KEY (organization_id)
          REFERENCES organizations (id) ON DELETE CASCADE
      )`);
    await runner.query(
      `CREATE UNIQUE INDEX organization_mfa_settings_once
         ON organization_mfa_settings (organization_id, mfa_device_type)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE organization_mfa_settings');
  }
}
