import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';
import type { UserWallet } from '../../identity/index.js';
import { SEED_OF_WALLET, WALLET_JSON } from '../record/wallet-json.js';

const IDS = scopedStatement(
  'walletDeletion.listIds',
  `SELECT id FROM wallets WHERE environment_id = $1 AND user_id = $2 AND kind = 'embedded' AND deleted_at IS NULL
   ORDER BY id`,
);

const DELETE = scopedStatement(
  'walletDeletion.delete',
  `WITH w AS (
     DELETE FROM wallets WHERE environment_id = $1 AND user_id = $2 AND id = ANY ($3::uuid[]) AND kind = 'embedded'
       AND deleted_at IS NULL
     RETURNING *),
   gone AS (
     DELETE FROM credentials c USING w
     WHERE c.environment_id = $1 AND c.user_id = w.user_id AND c.wallet_id = w.id)
   SELECT ${WALLET_JSON} AS wallet FROM w LEFT JOIN ${SEED_OF_WALLET} ORDER BY w.id`,
);

const IS_LEFT = scopedStatement(
  'walletDeletion.checkLeft',
  "SELECT id FROM wallets WHERE environment_id = $1 AND user_id = $2 AND kind = 'embedded' LIMIT 1",
);

/** Embedded wallets that their users delete. */
@Injectable()
export class WalletDeletionRepository {
  constructor(private readonly database: Database) {}

  /** Those that are not hidden. */
  async idsOf(environmentId: EnvironmentId, userId: string): Promise<string[]> {
    return (await this.database.rows<{ id: string }>(IDS, [environmentId, userId])).map(({ id }) => id);
  }

  async remove(
    environmentId: EnvironmentId,
    userId: string,
    walletIds: readonly string[],
    tx: Transaction,
  ): Promise<UserWallet[]> {
    const rows = await tx.rows<{ wallet: UserWallet }>(DELETE, [environmentId, userId, walletIds]);
    return rows.map(({ wallet }) => wallet);
  }

  /** Whether the user has an embedded wallet, hidden or not. */
  async isAnyLeft(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<boolean> {
    return (await tx.rows(IS_LEFT, [environmentId, userId])).length > 0;
  }
}
