import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The custodian of each embedded wallet. All existing ones are of the first version. */
export class AddWalletVersions20261122040101 implements MigrationInterface {
  name = 'AddWalletVersions20261122040101';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("UPDATE wallets SET version = 'V1' WHERE kind = 'embedded' AND version IS NULL");
    // Checks new rows at once, and validates existing ones without blocking access.
    await runner.query(`
      ALTER TABLE wallets ADD CONSTRAINT wallets_version
        CHECK (kind <> 'embedded' OR version IS NOT NULL AND version IN ('V1', 'V2', 'V3', 'external')) NOT VALID`);
    await runner.query('ALTER TABLE wallets VALIDATE CONSTRAINT wallets_version');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE wallets DROP CONSTRAINT wallets_version');
  }
}
