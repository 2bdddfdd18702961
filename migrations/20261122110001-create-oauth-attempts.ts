import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Pending sign-ins with a provider. The state is stored as a hash; each attempt is bound either to a browser or to the
 * challenge of the client that began it.
 */
export class CreateOauthAttempts20261122110001 implements MigrationInterface {
  name = 'CreateOauthAttempts20261122110001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE oauth_attempts (
        environment_id uuid NOT NULL,
        state_hash bytea NOT NULL,
        provider text NOT NULL,
        redirect_url text,
        browser_hash bytea,
        code_challenge text,
        answer text,
        issuer text,
        code_hash bytea,
        error text,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (environment_id, state_hash),
        CONSTRAINT oauth_attempts_bound CHECK ((browser_hash IS NULL) <> (code_challenge IS NULL)),
        CONSTRAINT oauth_attempts_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX oauth_attempts_expired ON oauth_attempts (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE oauth_attempts');
  }
}
