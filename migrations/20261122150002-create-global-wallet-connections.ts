import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sites to which users have connected the global wallet: one row per pair, renewed by a new connection and deleted with
 * the user.
 */
export class CreateGlobalWalletConnections20261122150002 implements MigrationInterface {
  name = 'CreateGlobalWalletConnections20261122150002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE global_wallet_connections (
        environment_id uuid NOT NULL,
        id uuid NOT NULL,
        user_id uuid NOT NULL,
        app_url text NOT NULL,
        expires_at timestamptz NOT NULL,
        disconnected_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (environment_id, id),
        CONSTRAINT global_wallet_connections_user FOREIGN KEY (environment_id, user_id)
          REFERENCES users (environment_id, id) ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE UNIQUE INDEX global_wallet_connections_once ON global_wallet_connections (environment_id, user_id, app_url)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE global_wallet_connections');
  }
}
