import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Networks added by organizations to the built-in ones. */
export class CreateCustomNetworks20261121005001 implements MigrationInterface {
  name = 'CreateCustomNetworks20261121005001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE custom_networks (
        organization_id uuid NOT NULL,
        id uuid NOT NULL PRIMARY KEY,
        network_type text NOT NULL,
        chain_name text NOT NULL,
        chain_id text NOT NULL,
        rpc_url text NOT NULL,
        block_explorer_url text NOT NULL,
        icon_url text NOT NULL,
        native_currency_name text NOT NULL,
        native_currency_symbol text NOT NULL,
        native_currency_icon_url text NOT NULL,
        native_currency_decimals smallint NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT custom_networks_organization FOREIGN KEY (organization_id)
          REFERENCES organizations (id) ON DELETE CASCADE
      )`);
    // Also used to list an organization's networks.
    await runner.query(
      'CREATE UNIQUE INDEX custom_networks_once ON custom_networks (organization_id, network_type, chain_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE custom_networks');
  }
}
