import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys that stamp requests of sessions, and executed requests. */
export class CreateWalletRequests20261122250003 implements MigrationInterface {
  name = 'CreateWalletRequests20261122250003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE wallet_session_keys (
        environment_id uuid NOT NULL,
        session_id uuid NOT NULL,
        public_key text NOT NULL,
        user_id uuid NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (environment_id, session_id, public_key),
        CONSTRAINT wallet_session_keys_user FOREIGN KEY (environment_id, user_id) REFERENCES users (environment_id, id)
          ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE INDEX wallet_session_keys_of_user ON wallet_session_keys (environment_id, user_id, expires_at)',
    );
    await runner.query('CREATE INDEX wallet_session_keys_expired ON wallet_session_keys (expires_at)');
    await runner.query(`
      CREATE TABLE wallet_used_requests (
        environment_id uuid NOT NULL,
        digest bytea NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (environment_id, digest),
        CONSTRAINT wallet_used_requests_environment FOREIGN KEY (environment_id) REFERENCES environments (id)
          ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX wallet_used_requests_expired ON wallet_used_requests (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE wallet_session_keys, wallet_used_requests');
  }
}
