import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Configuration of an environment: settings, signing keys, origins and sign-in providers. */
export class CreateEnvironmentSettings20261120000300 implements MigrationInterface {
  name = 'CreateEnvironmentSettings20261120000300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE environment_settings (
        environment_id uuid NOT NULL PRIMARY KEY,
        settings jsonb NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT environment_settings_environment
          FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE signing_keys (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        status text NOT NULL,
        public_key text NOT NULL,
        sealed_private_key bytea NOT NULL,
        master_key_id text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        retired_at timestamptz,
        PRIMARY KEY (environment_id, id),
        CONSTRAINT signing_keys_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE,
        CONSTRAINT signing_keys_status CHECK (status IN ('current', 'next', 'previous'))
      )`);
    await runner.query(
      "CREATE UNIQUE INDEX signing_keys_one_each ON signing_keys (environment_id, status) WHERE status <> 'previous'",
    );
    await runner.query(`
      CREATE TABLE origins (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        origin text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT origins_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX origins_once ON origins (environment_id, origin)');
    await runner.query(`
      CREATE TABLE providers (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        provider text NOT NULL,
        enabled_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT providers_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX providers_once ON providers (environment_id, provider)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE providers, origins, signing_keys, environment_settings');
  }
}
