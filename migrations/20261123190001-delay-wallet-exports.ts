import type { MigrationInterface, QueryRunner } from 'typeorm';

/** From when the key of an export may be fetched, where the deployment has people wait. */
export class DelayWalletExports20261123190001 implements MigrationInterface {
  name = 'DelayWalletExports20261123190001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE wallet_exports ADD COLUMN available_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    // The version before would hand them out at once.
    await runner.query('DELETE FROM wallet_exports WHERE used_at IS NULL AND available_at > now()');
    await runner.query('ALTER TABLE wallet_exports DROP COLUMN available_at');
  }
}
