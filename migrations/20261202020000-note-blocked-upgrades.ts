import type { MigrationInterface, QueryRunner } from 'typeorm';

export class NoteBlockedUpgrades20261202020000 implements MigrationInterface {
  name = 'NoteBlockedUpgrades20261202020000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE billing_subscriptions ADD COLUMN upgrade_blocked_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE billing_subscriptions DROP COLUMN upgrade_blocked_at');
  }
}
