import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The key of an embedded wallet is kept by the service and proves nobody. What such a wallet had proven nevertheless, or
 * had proven before it was hidden or deleted, lets nobody in any more: of the claims on wallets those stay whose user has
 * the wallet as one of their own keys.
 */
export class TakeSignInFromEmbeddedWallets20261127120001 implements MigrationInterface {
  name = 'TakeSignInFromEmbeddedWallets20261127120001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      UPDATE credentials SET sign_in_enabled = false, verified_at = NULL
      WHERE wallet_provider = 'embeddedWallet' AND (sign_in_enabled OR verified_at IS NOT NULL)`);
    await runner.query(`
      DELETE FROM identifier_claims k
      WHERE k.kind = 'wallet' AND NOT EXISTS (
        SELECT FROM credentials c
        WHERE c.environment_id = k.environment_id AND c.user_id = k.user_id AND c.format = 'blockchain'
          AND c.wallet_provider IS DISTINCT FROM 'embeddedWallet'
          AND lower(c.address) = lower(substr(k.identifier, strpos(k.identifier, ':') + 1)))`);
  }

  /** What was let in is not kept. */
  async down(): Promise<void> {}
}
