import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Configuration by provider type, one secret each, and several records per type of which one is enabled: the index
 * decides between concurrent requests.
 */
export class ConfigureProviders20261122050001 implements MigrationInterface {
  name = 'ConfigureProviders20261122050001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE providers
        ADD COLUMN configuration jsonb NOT NULL DEFAULT '{}',
        ADD COLUMN sealed_secret bytea,
        ADD COLUMN master_key_id text,
        ADD COLUMN agreement jsonb`);
    await runner.query('DROP INDEX providers_once');
    await runner.query(
      'CREATE UNIQUE INDEX providers_enabled_once ON providers (environment_id, provider) WHERE enabled_at IS NOT NULL',
    );
    // For master key rotation, which looks for secrets sealed under another key.
    await runner.query(
      'CREATE INDEX providers_master_key ON providers (master_key_id) WHERE master_key_id IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX providers_master_key, providers_enabled_once');
    await runner.query('CREATE UNIQUE INDEX providers_once ON providers (environment_id, provider)');
    await runner.query(
      `ALTER TABLE providers DROP COLUMN configuration, DROP COLUMN sealed_secret, DROP COLUMN master_key_id,
         DROP COLUMN agreement`,
    );
  }
}
