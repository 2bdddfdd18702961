import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Secrets of environments by name, such as secret settings, each sealed in its own row. */
export class CreateEnvironmentSecrets20261121003002 implements MigrationInterface {
  name = 'CreateEnvironmentSecrets20261121003002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE environment_secrets (
        environment_id uuid NOT NULL,
        name text NOT NULL,
        sealed_value bytea NOT NULL,
        master_key_id text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, name),
        CONSTRAINT environment_secrets_environment
          FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE environment_secrets');
  }
}
