import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requested key exports: the recipient's key, the expiry, and whether it was fetched. */
export class CreateWalletExports20261122250002 implements MigrationInterface {
  name = 'CreateWalletExports20261122250002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE wallet_exports (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        session_id uuid NOT NULL,
        wallet_id uuid NOT NULL,
        kem text NOT NULL,
        public_key bytea NOT NULL,
        expires_at timestamptz NOT NULL,
        used_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT wallet_exports_wallet FOREIGN KEY (environment_id, wallet_id) REFERENCES wallets (environment_id, id)
          ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX wallet_exports_expired ON wallet_exports (expires_at)');
    await runner.query('CREATE INDEX wallet_exports_of_wallet ON wallet_exports (environment_id, wallet_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE wallet_exports');
  }
}
