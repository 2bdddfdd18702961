import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Users may hide and restore an embedded wallet; an index finds the versions in use without reading all wallets. */
export class AddHiddenWallets20261122040102 implements MigrationInterface {
  name = 'AddHiddenWallets20261122040102';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE wallets ADD COLUMN deleted_at timestamptz');
    await runner.query(
      "CREATE INDEX wallets_versions ON wallets (environment_id, version) WHERE kind = 'embedded' AND deleted_at IS NULL",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX wallets_versions');
    await runner.query('ALTER TABLE wallets DROP COLUMN deleted_at');
  }
}
