import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Secrets with which users decrypt backups of their shares, and how often each was read. */
export class CreateWalletSecrets20261123180002 implements MigrationInterface {
  name = 'CreateWalletSecrets20261123180002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE wallet_secrets (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        wallet_id uuid NOT NULL,
        kind text NOT NULL,
        sealed_secret bytea NOT NULL,
        master_key_id text NOT NULL,
        reads integer NOT NULL DEFAULT 0,
        first_read_at timestamptz NOT NULL DEFAULT now(),
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT wallet_secrets_kind CHECK (kind IN ('passcode', 'backup-key')),
        CONSTRAINT wallet_secrets_one UNIQUE (environment_id, wallet_id, kind),
        CONSTRAINT wallet_secrets_user FOREIGN KEY (environment_id, user_id) REFERENCES users (environment_id, id)
          ON DELETE CASCADE,
        CONSTRAINT wallet_secrets_wallet FOREIGN KEY (environment_id, wallet_id)
          REFERENCES wallets (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX wallet_secrets_of_user ON wallet_secrets (environment_id, user_id)');
    await runner.query(
      'CREATE INDEX wallet_secrets_by_master_key ON wallet_secrets (master_key_id, environment_id, id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE wallet_secrets');
  }
}
