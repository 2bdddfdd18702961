import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The protocol of sealed shares: shares of a key split by a device and FROST shares are not interchangeable. */
export class NameShareProtocols20261123195001 implements MigrationInterface {
  name = 'NameShareProtocols20261123195001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE key_share_sets
        ADD COLUMN protocol text NOT NULL DEFAULT 'FROST',
        ADD CONSTRAINT key_share_sets_protocol CHECK (protocol IN ('FROST', 'SHAMIR'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const [split] = (await runner.query("SELECT 1 FROM key_share_sets WHERE protocol = 'SHAMIR' LIMIT 1")) as unknown[];
    if (split)
      throw new Error('There are split keys, which the version before cannot use: delete their wallets first.');
    await runner.query('ALTER TABLE key_share_sets DROP COLUMN protocol');
  }
}
