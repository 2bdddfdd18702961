import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds the seeds of wallets that were upgraded before these were noted, as long as other wallets need them: without it
 * further wallets could be made of such a seed, and it would stay when the last of them is deleted, with the whole key
 * of a wallet that is shared. The ledger knows which accounts are of which seed.
 */
export class FillKeysOfUpgradedWallets20261128132000 implements MigrationInterface {
  name = 'FillKeysOfUpgradedWallets20261128132000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE wallets w SET upgraded_from = s.id
      FROM wallet_seeds s
      WHERE w.kind = 'embedded' AND w.version = 'V3' AND w.account_index IS NULL AND w.upgraded_from IS NULL
        AND s.environment_id = w.environment_id AND s.user_id = w.user_id AND s.kind = 'hd-entropy'
        AND s.destroy_after IS NULL
        AND EXISTS (
          SELECT FROM wallets o
          WHERE o.environment_id = w.environment_id AND o.user_id = w.user_id AND o.seed_id = s.id)
        AND EXISTS (
          SELECT FROM key_ledger k
          WHERE k.environment_id = w.environment_id AND k.keys_id = s.id AND k.operation IN ('create', 'derive')
            AND k.subject->'accounts' @>
              jsonb_build_array(jsonb_build_object('chain', w.chain, 'address', w.address)))`);
  }

  /** The column itself is removed by the migration before. */
  async down(): Promise<void> {}
}
