import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The key that the service held before the wallet was upgraded, which stays as long as other wallets need it. */
export class NoteKeysOfUpgradedWallets20261128120000 implements MigrationInterface {
  name = 'NoteKeysOfUpgradedWallets20261128120000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE wallets ADD COLUMN upgraded_from uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE wallets DROP COLUMN upgraded_from');
  }
}
