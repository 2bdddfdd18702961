import { Injectable } from '@nestjs/common';
import { scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';
import { ARE_OF_WALLET, type DeletedShares, type KeysOfVersion } from '../record/wallet-shares.js';

// Signing with shares locks the wallet, then the shares. The cascade from a user would reach the wallets
// after the shares. Imported and shared keys have no account index.
const LOCK_WALLETS = scopedStatement(
  'userShares.lockWallets',
  `SELECT seed_id AS "keysId", version, account_index IS NOT NULL AS "isHeld"
   FROM wallets WHERE environment_id = $1 AND user_id = $2 ORDER BY id FOR UPDATE`,
);

const DELETE = scopedStatement(
  'userShares.delete',
  `DELETE FROM key_share_sets k WHERE k.environment_id = $1 AND k.user_id = $2
   RETURNING k.id AS "keysId", k.protocol, k.scheme, (
     SELECT w.id FROM wallets w
     WHERE w.environment_id = k.environment_id AND w.user_id = k.user_id AND ${ARE_OF_WALLET}
     LIMIT 1) AS "walletId"`,
);

/** What ends with all keys of a user. */
export interface EndedKeys {
  /** The service's shares of shared keys. */
  readonly shares: readonly DeletedShares[];
  /** Keys made by any custodian. */
  readonly held: readonly KeysOfVersion[];
}

/** The service's shares of all keys of a user. */
@Injectable()
export class UserSharesRepository {
  /** Deletes what would go with the user's row, to learn which shares these are. The caller must hold the user. */
  async delete(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<EndedKeys> {
    const [wallets, shares] = await Promise.all([
      tx.rows<KeysOfVersion & { isHeld: boolean }>(LOCK_WALLETS, [environmentId, userId]),
      tx.rows<DeletedShares>(DELETE, [environmentId, userId]),
    ]);
    return { shares, held: wallets.filter(({ isHeld }) => isHeld) };
  }
}
