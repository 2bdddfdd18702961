import { Injectable } from '@nestjs/common';
import { scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';
import { ARE_OF_WALLET, type DeletedShares } from '../record/wallet-shares.js';

// Whoever signs with shares holds the wallet and then the shares. Of users with whom all goes the wallets went by a cascade,
// after them.
const LOCK_WALLETS = scopedStatement(
  'userShares.lockWallets',
  'SELECT id FROM wallets WHERE environment_id = $1 AND user_id = $2 ORDER BY id FOR UPDATE',
);

const DELETE = scopedStatement(
  'userShares.delete',
  `DELETE FROM key_share_sets k WHERE k.environment_id = $1 AND k.user_id = $2
   RETURNING k.id AS "keysId", k.protocol, k.scheme, (
     SELECT w.id FROM wallets w
     WHERE w.environment_id = k.environment_id AND w.user_id = k.user_id AND ${ARE_OF_WALLET}
     LIMIT 1) AS "walletId"`,
);

/** The service's shares of all keys of a user. */
@Injectable()
export class UserSharesRepository {
  /** Deletes what would go with the row of the user, so that it is known which shares these are. Its callers hold the user. */
  delete(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<DeletedShares[]> {
    tx.send(LOCK_WALLETS, [environmentId, userId]);
    return tx.rows<DeletedShares>(DELETE, [environmentId, userId]);
  }
}
