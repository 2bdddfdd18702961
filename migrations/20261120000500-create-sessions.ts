import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Proofs of sign-in: sessions, one-time codes, nonces, and wallets that visited without signing in. */
export class CreateSessions20261120000500 implements MigrationInterface {
  name = 'CreateSessions20261120000500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sessions (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        credential_id uuid,
        amr text[] NOT NULL,
        audience text,
        ip_address text,
        user_agent text,
        session_public_key text,
        token_id uuid NOT NULL,
        previous_token_id uuid,
        token_issued_at timestamptz NOT NULL,
        token_expires_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        revoked_at timestamptz,
        PRIMARY KEY (environment_id, id),
        CONSTRAINT sessions_user FOREIGN KEY (environment_id, user_id)
          REFERENCES users (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX sessions_of_user ON sessions (environment_id, user_id, created_at)');
    await runner.query(`
      CREATE TABLE email_verifications (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        email text NOT NULL,
        destination_hash bytea NOT NULL,
        code_hmac bytea NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        expires_at timestamptz NOT NULL,
        used_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT email_verifications_environment
          FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX email_verifications_expired ON email_verifications (expires_at)');
    // One row per address: how many codes were sent, and how many consecutive wrong ones were submitted.
    await runner.query(`
      CREATE TABLE code_destinations (
        environment_id uuid NOT NULL,
        destination_hash bytea NOT NULL,
        last_sent_at timestamptz NOT NULL,
        hour_started_at timestamptz NOT NULL,
        sent_in_hour integer NOT NULL,
        day_started_at timestamptz NOT NULL,
        sent_in_day integer NOT NULL,
        failures integer NOT NULL DEFAULT 0,
        PRIMARY KEY (environment_id, destination_hash),
        CONSTRAINT code_destinations_environment
          FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE nonces (
        environment_id uuid NOT NULL,
        nonce_hash bytea NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (environment_id, nonce_hash),
        CONSTRAINT nonces_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX nonces_expired ON nonces (expires_at)');
    await runner.query(`
      CREATE TABLE visitors (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        address text NOT NULL,
        chain text NOT NULL,
        provider text NOT NULL,
        wallet_name text NOT NULL,
        auth_mode text,
        visits integer NOT NULL DEFAULT 1,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_visit timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT visitors_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX visitors_once ON visitors (environment_id, address, chain, wallet_name)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE visitors, nonces, code_destinations, email_verifications, sessions');
  }
}
