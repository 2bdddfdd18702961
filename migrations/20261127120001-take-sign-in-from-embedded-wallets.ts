import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The key of an embedded wallet is held by the service and does not authenticate anybody. Earlier verifications by such
 * a wallet, including hidden or deleted ones, no longer permit sign-in: only wallet claims of users who have the wallet
 * as an external one are kept.
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

  /** The removed claims are not restored. */
  async down(): Promise<void> {}
}
