import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Proof of a single sign-on setup's email domain, and pending sign-ins with such a provider. */
export class ProveEmailDomains20261122580001 implements MigrationInterface {
  name = 'ProveEmailDomains20261122580001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sso_providers
        ADD COLUMN domain_challenge text,
        ADD COLUMN domain_proven_at timestamptz,
        ADD COLUMN domain_checked_at timestamptz,
        ADD COLUMN domain_problem text`);
    // Two random UUIDs of 122 random bits each.
    await runner.query(
      `UPDATE sso_providers SET enforce_only_sso = false,
         domain_challenge = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')`,
    );
    await runner.query('ALTER TABLE sso_providers ALTER COLUMN domain_challenge SET NOT NULL');
    await runner.query(
      `ALTER TABLE sso_providers ADD CONSTRAINT sso_providers_enforced_proven
         CHECK (NOT enforce_only_sso OR domain_proven_at IS NOT NULL)`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX sso_providers_domain_proven_once ON sso_providers (email_domain)
         WHERE domain_proven_at IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX sso_providers_domain_due ON sso_providers (domain_checked_at)
         WHERE domain_proven_at IS NOT NULL`,
    );
    await runner.query('CREATE INDEX sso_providers_enforced ON sso_providers (organization_id) WHERE enforce_only_sso');
    await runner.query(
      `ALTER TABLE oauth_attempts
         ADD COLUMN sso_provider_id uuid,
         ADD COLUMN sso_setup_hash bytea,
         ADD CONSTRAINT oauth_attempts_sso CHECK ((sso_provider_id IS NULL) = (sso_setup_hash IS NULL))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE oauth_attempts DROP CONSTRAINT oauth_attempts_sso, DROP COLUMN sso_setup_hash,
         DROP COLUMN sso_provider_id`,
    );
    await runner.query('DROP INDEX sso_providers_enforced, sso_providers_domain_due, sso_providers_domain_proven_once');
    await runner.query(
      `ALTER TABLE sso_providers DROP CONSTRAINT sso_providers_enforced_proven, DROP COLUMN domain_problem,
         DROP COLUMN domain_checked_at, DROP COLUMN domain_proven_at, DROP COLUMN domain_challenge`,
    );
  }
}
