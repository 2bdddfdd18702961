import { Injectable } from '@nestjs/common';
import type { CustodyVersion, EmbeddedChain } from '../../custody/index.js';
import { Database, scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';

const FIND = scopedStatement(
  'heldWallets.find',
  `SELECT id AS "walletId", chain, address, seed_id AS "keysId", coalesce(account_index, 0) AS "index", version,
     claimed_at IS NOT NULL AS "isClaimed", dealt_keys_id AS "dealtKeysId"
   FROM wallets
   WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND kind = 'embedded' AND deleted_at IS NULL`,
);

const FIND_OF_ANYONE = scopedStatement(
  'heldWallets.findOfAnyone',
  `SELECT id AS "walletId", user_id AS "userId", chain, address, seed_id AS "keysId",
     coalesce(account_index, 0) AS "index", version, claimed_at IS NOT NULL AS "isClaimed",
     dealt_keys_id AS "dealtKeysId"
   FROM wallets WHERE environment_id = $1 AND id = $2 AND kind = 'embedded' AND deleted_at IS NULL`,
);

// Waits for whoever hides or deletes the wallet, and keeps them out until the end of the transaction.
const HOLD = scopedStatement(
  'heldWallets.hold',
  `SELECT id FROM wallets WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND deleted_at IS NULL
     AND (seed_id = $4 OR dealt_keys_id = $4)
   FOR SHARE`,
);

// The same, and nobody holds it beside.
const HOLD_ALONE = scopedStatement(
  'heldWallets.holdAlone',
  `SELECT id FROM wallets WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND deleted_at IS NULL
     AND (seed_id = $4 OR dealt_keys_id = $4)
   FOR NO KEY UPDATE`,
);

// A wallet that is deleted takes along what is counted for it: whoever locks several of these rows holds the wallet first.
const PIN = scopedStatement(
  'heldWallets.holdThere',
  'SELECT id FROM wallets WHERE environment_id = $1 AND id = $2 FOR KEY SHARE',
);

/** An embedded wallet with the place of its keys. */
export interface HeldWallet {
  readonly walletId: string;
  readonly chain: EmbeddedChain;
  readonly address: string;
  readonly keysId: string;
  readonly index: number;
  readonly version: CustodyVersion;
  readonly isClaimed: boolean;
  /** Shares that are to take the place of the keys. */
  readonly dealtKeysId: string | null;
}

/** Embedded wallets as those see them who use their keys. */
@Injectable()
export class HeldWalletsRepository {
  constructor(private readonly database: Database) {}

  /** Null unless it is an embedded wallet of the user that is not hidden. */
  async find(environmentId: EnvironmentId, userId: string, walletId: string): Promise<HeldWallet | null> {
    return (await this.database.rows<HeldWallet>(FIND, [environmentId, userId, walletId]))[0] ?? null;
  }

  /** The same of any user of the environment, for its team. */
  async findOfAnyone(
    environmentId: EnvironmentId,
    walletId: string,
  ): Promise<(HeldWallet & { readonly userId: string }) | null> {
    const values = [environmentId, walletId];
    return (await this.database.rows<HeldWallet & { userId: string }>(FIND_OF_ANYONE, values))[0] ?? null;
  }

  /** Keeps the wallet as it is until the end of the transaction. False when it was hidden or deleted, or has other keys. */
  async hold(
    environmentId: EnvironmentId,
    userId: string,
    { walletId, keysId }: Pick<HeldWallet, 'walletId' | 'keysId'>,
    tx: Transaction,
  ): Promise<boolean> {
    return (await tx.rows(HOLD, [environmentId, userId, walletId, keysId])).length > 0;
  }

  /** The same for whoever may change it: waits for all who hold it. */
  async holdAlone(
    environmentId: EnvironmentId,
    userId: string,
    { walletId, keysId }: Pick<HeldWallet, 'walletId' | 'keysId'>,
    tx: Transaction,
  ): Promise<boolean> {
    return (await tx.rows(HOLD_ALONE, [environmentId, userId, walletId, keysId])).length > 0;
  }

  /** Keeps the wallet from being deleted until the end of the transaction, and from nothing else. */
  pin(environmentId: EnvironmentId, walletId: string, tx: Transaction): void {
    tx.send(PIN, [environmentId, walletId]);
  }
}
