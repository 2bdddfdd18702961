import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Wallet access granted by users to a team's servers, and whether a user has opted out. A database that was migrated
 * while this one had an earlier number has both already.
 */
export class CreateWalletDelegations20261123130001 implements MigrationInterface {
  name = 'CreateWalletDelegations20261123130001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE wallets ADD COLUMN IF NOT EXISTS denies_delegation boolean NOT NULL DEFAULT false');
    await runner.query(`
      CREATE TABLE IF NOT EXISTS wallet_delegations (
        environment_id uuid NOT NULL,
        wallet_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        credential_hash bytea NOT NULL,
        access jsonb NOT NULL,
        spent numeric NOT NULL DEFAULT 0,
        spent_on date,
        expires_at timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, wallet_id),
        CONSTRAINT wallet_delegations_hash CHECK (length(credential_hash) = 32),
        CONSTRAINT wallet_delegations_wallet FOREIGN KEY (environment_id, wallet_id)
          REFERENCES wallets (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX IF NOT EXISTS wallet_delegations_expired ON wallet_delegations (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE wallet_delegations');
    await runner.query('ALTER TABLE wallets DROP COLUMN denies_delegation');
  }
}
