import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Shares dealt from a wallet's key, which take its place once their user has refreshed them. */
export class AddDealtKeys20261123180003 implements MigrationInterface {
  name = 'AddDealtKeys20261123180003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE wallets ADD COLUMN dealt_keys_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE wallets DROP COLUMN dealt_keys_id');
  }
}
