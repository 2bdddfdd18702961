import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sealed tokens of provider accounts, deleted with the account. */
export class CreateOauthTokens20261122230002 implements MigrationInterface {
  name = 'CreateOauthTokens20261122230002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE oauth_tokens (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        credential_id uuid NOT NULL,
        user_id uuid NOT NULL,
        provider text NOT NULL,
        sealed_tokens bytea NOT NULL,
        master_key_id text NOT NULL,
        expires_at timestamptz,
        refreshing_until timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT oauth_tokens_account FOREIGN KEY (environment_id, credential_id)
          REFERENCES credentials (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX oauth_tokens_of_account ON oauth_tokens (environment_id, credential_id)');
    await runner.query('CREATE INDEX oauth_tokens_master_key ON oauth_tokens (master_key_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE oauth_tokens');
  }
}
