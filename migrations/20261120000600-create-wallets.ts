import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Wallets of users, and the sealed seeds of embedded wallets. */
export class CreateWallets20261120000600 implements MigrationInterface {
  name = 'CreateWallets20261120000600';

  async up(runner: QueryRunner): Promise<void> {
    // No foreign key to users: a seed outlives its deleted user until destroy_after, so that a mistake can be undone.
    await runner.query(`
      CREATE TABLE wallet_seeds (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        vault_organization_id uuid NOT NULL,
        vault_user_id uuid NOT NULL,
        sealed_entropy bytea NOT NULL,
        master_key_id text NOT NULL,
        destroy_after timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT wallet_seeds_environment FOREIGN KEY (environment_id) REFERENCES environments (id) ON DELETE CASCADE
      )`);
    // A seed awaiting destruction does not count: a new user with the id of a deleted one gets a new seed.
    await runner.query(
      'CREATE UNIQUE INDEX wallet_seeds_one_per_user ON wallet_seeds (environment_id, user_id) WHERE destroy_after IS NULL',
    );
    await runner.query('CREATE INDEX wallet_seeds_by_master_key ON wallet_seeds (master_key_id, environment_id, id)');
    await runner.query(
      'CREATE INDEX wallet_seeds_to_destroy ON wallet_seeds (destroy_after) WHERE destroy_after IS NOT NULL',
    );
    await runner.query(`
      CREATE TABLE wallets (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        kind text NOT NULL,
        name text NOT NULL,
        chain text NOT NULL,
        address text NOT NULL,
        public_key text,
        provider text NOT NULL,
        seed_id uuid,
        account_index integer,
        derivation_path text,
        version text,
        claimed_at timestamptz,
        additional_addresses jsonb,
        last_selected_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT wallets_user FOREIGN KEY (environment_id, user_id)
          REFERENCES users (environment_id, id) ON DELETE CASCADE,
        CONSTRAINT wallets_kind CHECK (kind IN ('embedded', 'external'))
      )`);
    await runner.query('CREATE INDEX wallets_of_user ON wallets (environment_id, user_id)');
    await runner.query(
      "CREATE UNIQUE INDEX wallets_one_per_account ON wallets (environment_id, user_id, chain, account_index) WHERE kind = 'embedded'",
    );
    await runner.query(
      "CREATE UNIQUE INDEX wallets_embedded_address ON wallets (environment_id, chain, address) WHERE kind = 'embedded'",
    );
    await runner.query('CREATE INDEX wallets_address ON wallets (environment_id, lower(address))');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE wallets, wallet_seeds');
  }
}
