import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An organization's single sign-on: one identity provider and our client registration there. */
export class CreateSsoProviders20261121002003 implements MigrationInterface {
  name = 'CreateSsoProviders20261121002003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sso_providers (
        organization_id uuid NOT NULL,
        id uuid NOT NULL PRIMARY KEY,
        provider text NOT NULL,
        client_id text NOT NULL,
        sealed_client_secret bytea NOT NULL,
        master_key_id text NOT NULL,
        sso_domain text NOT NULL,
        issuer text NOT NULL,
        email_domain text NOT NULL,
        enforce_only_sso boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT sso_providers_organization FOREIGN KEY (organization_id)
          REFERENCES organizations (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX sso_providers_once ON sso_providers (organization_id)');
    await runner.query('CREATE INDEX sso_providers_email_domain ON sso_providers (email_domain)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sso_providers');
  }
}
