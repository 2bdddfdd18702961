import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An emailed key is valid only while its mailbox stands for the wallets. Existing keys expire within minutes, and the
 * default is for instances of the previous version.
 */
export class MarkSessionKeysThatWereMailed20261127170001 implements MigrationInterface {
  name = 'MarkSessionKeysThatWereMailed20261127170001';

  async up(runner: QueryRunner): Promise<void> {
    // A database that was migrated while this one had an earlier number has the column already.
    await runner.query(
      'ALTER TABLE wallet_session_keys ADD COLUMN IF NOT EXISTS is_mailed boolean NOT NULL DEFAULT false',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE wallet_session_keys DROP COLUMN is_mailed');
  }
}
