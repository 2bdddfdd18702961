import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Destinations of codes for users' wallets, and passkeys being replaced with such a code. */
export class CreateWalletRecovery20261123140001 implements MigrationInterface {
  name = 'CreateWalletRecovery20261123140001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE wallet_recovery_emails (
        environment_id uuid NOT NULL,
        user_id uuid NOT NULL,
        email text NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, user_id),
        CONSTRAINT wallet_recovery_emails_user FOREIGN KEY (environment_id, user_id)
          REFERENCES users (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE wallet_passkey_recoveries (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        session_id uuid NOT NULL,
        wallet_id uuid NOT NULL,
        challenge_hash bytea NOT NULL,
        tries integer NOT NULL DEFAULT 0,
        expires_at timestamptz NOT NULL,
        used_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT wallet_passkey_recoveries_user FOREIGN KEY (environment_id, user_id)
          REFERENCES users (environment_id, id) ON DELETE CASCADE,
        CONSTRAINT wallet_passkey_recoveries_wallet FOREIGN KEY (environment_id, wallet_id)
          REFERENCES wallets (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE UNIQUE INDEX wallet_passkey_recoveries_open ON wallet_passkey_recoveries (environment_id, user_id)
        WHERE used_at IS NULL`);
    await runner.query(
      'CREATE INDEX wallet_passkey_recoveries_of_user ON wallet_passkey_recoveries (environment_id, user_id)',
    );
    await runner.query(
      'CREATE INDEX wallet_passkey_recoveries_of_wallet ON wallet_passkey_recoveries (environment_id, wallet_id)',
    );
    await runner.query('CREATE INDEX wallet_passkey_recoveries_expired ON wallet_passkey_recoveries (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE wallet_passkey_recoveries');
    await runner.query('DROP TABLE wallet_recovery_emails');
  }
}
