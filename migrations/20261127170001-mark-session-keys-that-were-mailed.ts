import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A key that was mailed is good for as long as the mailbox it went to stands for the wallets. Those that there are end
 * within minutes, and the default is for instances of the version before.
 */
export class MarkSessionKeysThatWereMailed20261127170001 implements MigrationInterface {
  name = 'MarkSessionKeysThatWereMailed20261127170001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE wallet_session_keys ADD COLUMN is_mailed boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE wallet_session_keys DROP COLUMN is_mailed');
  }
}
