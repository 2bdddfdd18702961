import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For listing only active or only ended connections efficiently, however few there are. */
export class IndexConnectionsByStatus20261128060004 implements MigrationInterface {
  name = 'IndexConnectionsByStatus20261128060004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX global_wallet_connections_ended ON global_wallet_connections (environment_id, id)
      WHERE disconnected_at IS NOT NULL`);
    await runner.query(`
      CREATE INDEX global_wallet_connections_expiring ON global_wallet_connections (environment_id, expires_at)
      WHERE disconnected_at IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX global_wallet_connections_ended, global_wallet_connections_expiring');
  }
}
