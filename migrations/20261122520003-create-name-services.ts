import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Domains for wallet names, ownership challenges, and the names. */
export class CreateNameServices20261122520003 implements MigrationInterface {
  name = 'CreateNameServices20261122520003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE name_services (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        chain text NOT NULL,
        domain text NOT NULL,
        address text NOT NULL,
        enabled_at timestamptz,
        signer_address text,
        sealed_key bytea,
        master_key_id text,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT name_services_environment FOREIGN KEY (environment_id) REFERENCES environments (id)
          ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX name_services_chain ON name_services (environment_id, chain)');
    // A name means one wallet, so only one environment may use a domain, whoever else has proven it.
    await runner.query(
      'CREATE UNIQUE INDEX name_services_enabled_domain ON name_services (chain, domain) WHERE enabled_at IS NOT NULL',
    );
    await runner.query(`
      CREATE TABLE name_service_proofs (
        environment_id uuid NOT NULL,
        chain text NOT NULL,
        domain text NOT NULL,
        address text NOT NULL,
        message text NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (environment_id, chain),
        CONSTRAINT name_service_proofs_environment FOREIGN KEY (environment_id) REFERENCES environments (id)
          ON DELETE CASCADE
      )`);
    await runner.query(`
      CREATE TABLE wallet_names (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        service_id uuid NOT NULL,
        handle text NOT NULL,
        wallet_id uuid NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT wallet_names_service FOREIGN KEY (environment_id, service_id)
          REFERENCES name_services (environment_id, id) ON DELETE CASCADE,
        CONSTRAINT wallet_names_wallet FOREIGN KEY (environment_id, wallet_id) REFERENCES wallets (environment_id, id)
          ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX wallet_names_handle ON wallet_names (environment_id, service_id, handle)');
    await runner.query('CREATE UNIQUE INDEX wallet_names_one ON wallet_names (environment_id, wallet_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE wallet_names');
    await runner.query('DROP TABLE name_service_proofs');
    await runner.query('DROP TABLE name_services');
  }
}
