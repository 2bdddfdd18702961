import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The earliest time to fetch an exported key, where the deployment imposes a delay. */
export class DelayWalletExports20261123190001 implements MigrationInterface {
  name = 'DelayWalletExports20261123190001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE wallet_exports ADD COLUMN available_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    // The previous version would release them at once.
    await runner.query('DELETE FROM wallet_exports WHERE used_at IS NULL AND available_at > now()');
    await runner.query('ALTER TABLE wallet_exports DROP COLUMN available_at');
  }
}
