import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The wallet that a team offers to other sites: its appearance, and the sites allowed to connect. An environment has
 * one of each, enforced by unique indexes.
 */
export class CreateGlobalWallets20261122150001 implements MigrationInterface {
  name = 'CreateGlobalWallets20261122150001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE global_wallets (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        appearance jsonb NOT NULL,
        enabled_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT global_wallets_environment FOREIGN KEY (environment_id) REFERENCES environments (id)
          ON DELETE CASCADE
      )`);
    await runner.query('CREATE UNIQUE INDEX global_wallets_once ON global_wallets (environment_id)');
    await runner.query(`
      CREATE TABLE global_wallet_access_controls (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        type text NOT NULL,
        enabled_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT global_wallet_access_controls_environment FOREIGN KEY (environment_id) REFERENCES environments (id)
          ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE UNIQUE INDEX global_wallet_access_controls_once ON global_wallet_access_controls (environment_id)',
    );
    await runner.query(`
      CREATE TABLE global_wallet_domains (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        access_control_id uuid NOT NULL,
        domain text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT global_wallet_domains_access_control FOREIGN KEY (environment_id, access_control_id)
          REFERENCES global_wallet_access_controls (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE UNIQUE INDEX global_wallet_domains_once ON global_wallet_domains (environment_id, access_control_id, domain)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE global_wallet_domains');
    await runner.query('DROP TABLE global_wallet_access_controls');
    await runner.query('DROP TABLE global_wallets');
  }
}
