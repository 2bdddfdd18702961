import { Injectable } from '@nestjs/common';
import {
  Database,
  scopedStatement,
  statementFamily,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import type { UserWallet } from '../../identity/index.js';
import { ShownWallets } from '../record/shown-wallets.js';
import {
  ARE_OF_WALLET,
  DELETED_OF_WALLET,
  SHARES_DELETED,
  type DeletedShares,
  type KeysOfVersion,
} from '../record/wallet-shares.js';

const IDS = scopedStatement(
  'walletDeletion.listIds',
  `SELECT id FROM wallets WHERE environment_id = $1 AND user_id = $2 AND kind = 'embedded' AND deleted_at IS NULL
   ORDER BY id`,
);

// Locked in id order, so that concurrent callers cannot deadlock.
const LOCK = scopedStatement(
  'walletDeletion.lock',
  `SELECT id FROM wallets WHERE environment_id = $1 AND user_id = $2 AND id = ANY ($3::uuid[]) ORDER BY id FOR UPDATE`,
);

const DELETE = statementFamily('walletDeletion.delete', (name, wallet) =>
  scopedStatement(
    name,
    `WITH asked AS (
     SELECT id FROM wallets WHERE environment_id = $1 AND user_id = $2 AND id = ANY ($3::uuid[]) AND kind = 'embedded'
       AND deleted_at IS NULL),
   w AS (DELETE FROM wallets WHERE environment_id = $1 AND id IN (SELECT id FROM asked) RETURNING *),
   gone AS (
     DELETE FROM credentials c USING w
     WHERE c.environment_id = $1 AND c.user_id = w.user_id AND c.wallet_id = w.id),
   shares AS (
     DELETE FROM key_share_sets k USING w
     WHERE k.environment_id = $1 AND k.user_id = w.user_id AND ${ARE_OF_WALLET}
     RETURNING ${DELETED_OF_WALLET})
   SELECT ${wallet} AS wallet, w.seed_id AS "keysId", w.version, w.account_index IS NOT NULL AS "isHeld",
     ${SHARES_DELETED} AS shares
   FROM w ORDER BY w.id`,
  ),
);

const KEYS_IN_USE = scopedStatement(
  'walletDeletion.listKeysInUse',
  `SELECT DISTINCT seed_id AS "keysId" FROM wallets WHERE environment_id = $1 AND user_id = $2 AND kind = 'embedded'`,
);

export interface RemovedWallet extends KeysOfVersion {
  readonly wallet: UserWallet;
  /** False for imported keys, and for keys shared with the user. */
  readonly isHeld: boolean;
  readonly shares: readonly DeletedShares[];
}

/** The deletion of embedded wallets by their users. */
@Injectable()
export class WalletDeletionRepository {
  constructor(
    private readonly database: Database,
    private readonly shown: ShownWallets,
  ) {}

  /** Ids of the wallets that are not hidden. */
  async idsOf(environmentId: EnvironmentId, userId: string): Promise<string[]> {
    return (await this.database.rows<{ id: string }>(IDS, [environmentId, userId])).map(({ id }) => id);
  }

  /** Waits for everything that uses the wallets, before they are deleted. */
  lock(environmentId: EnvironmentId, userId: string, walletIds: readonly string[], tx: Transaction): void {
    tx.send(LOCK, [environmentId, userId, walletIds]);
  }

  /** Deletes the wallets locked before. */
  async remove(
    environmentId: EnvironmentId,
    userId: string,
    walletIds: readonly string[],
    tx: Transaction,
  ): Promise<RemovedWallet[]> {
    return tx.rows<RemovedWallet>(DELETE(this.shown.json), [environmentId, userId, walletIds]);
  }

  /** The keys of the user's embedded wallets, hidden or not. */
  async keysInUse(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<ReadonlySet<string>> {
    const rows = await tx.rows<{ keysId: string }>(KEYS_IN_USE, [environmentId, userId]);
    return new Set(rows.map(({ keysId }) => keysId));
  }
}
