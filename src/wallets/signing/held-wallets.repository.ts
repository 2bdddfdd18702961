import { Injectable } from '@nestjs/common';
import type { EmbeddedChain, VersionedWallet } from '../../custody/index.js';
import {
  Database,
  scopedStatement,
  SharedQuestions,
  type EnvironmentId,
  type Executor,
  type Transaction,
} from '../../database/index.js';
import type { AddressKey } from '../../identity/index.js';

const FIND_ALL = scopedStatement(
  'heldWallets.findAll',
  `SELECT a.place::int AS place, w.id AS "walletId", w.chain, w.address, w.seed_id AS "keysId",
     coalesce(w.account_index, 0) AS "index", w.version, w.claimed_at IS NOT NULL AS "isClaimed",
     w.dealt_keys_id AS "dealtKeysId", w.account_index IS NULL AND w.version IN ('V2', 'V3') AS "isShared"
   FROM unnest((SELECT $2::uuid[]), $3::uuid[]) WITH ORDINALITY AS a (user_id, id, place)
   JOIN wallets w ON w.environment_id = $1 AND w.user_id = a.user_id AND w.id = a.id
   WHERE w.kind = 'embedded' AND w.deleted_at IS NULL`,
);

const FIND_OF_ANYONE = scopedStatement(
  'heldWallets.findOfAnyone',
  `SELECT id AS "walletId", user_id AS "userId", chain, address, seed_id AS "keysId",
     coalesce(account_index, 0) AS "index", version, claimed_at IS NOT NULL AS "isClaimed",
     dealt_keys_id AS "dealtKeysId", account_index IS NULL AND version IN ('V2', 'V3') AS "isShared"
   FROM wallets WHERE environment_id = $1 AND id = $2 AND kind = 'embedded' AND deleted_at IS NULL`,
);

// Found through the index on lower-case addresses; the chain determines whether case matters.
const FIND_USER_OF = scopedStatement(
  'heldWallets.findUserOf',
  `SELECT held.user_id AS "userId"
   FROM (SELECT $2::text[] AS spellings, $3::text[] AS chains OFFSET 0) AS asked,
     unnest(asked.spellings) AS spelling,
     LATERAL (
       SELECT w.user_id FROM wallets w WHERE w.environment_id = $1 AND lower(w.address) = lower(spelling)
         AND spelling IN (w.address, lower(w.address)) AND w.chain = ANY (asked.chains) AND w.kind = 'embedded'
       OFFSET 0) AS held
   LIMIT 1`,
);

// Waits for a transaction that is hiding or deleting the wallet, and blocks others until the end of this one.
const HOLD = scopedStatement(
  'heldWallets.hold',
  `SELECT id FROM wallets WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND deleted_at IS NULL
     AND (seed_id = $4 OR dealt_keys_id = $4)
   FOR SHARE`,
);

// The same for several wallets, waiting for none: fails (`wasUnmet`) unless it locks them all. A caller that holds some
// never waits for others.
const HOLD_ALL = scopedStatement(
  'heldWallets.holdAll',
  `SELECT 1 / (count(*) = cardinality($3::uuid[]))::int
   FROM (
     SELECT FROM unnest((SELECT $2::uuid[]), $3::uuid[], $4::uuid[]) AS a (user_id, id, keys_id)
     JOIN wallets w ON w.environment_id = $1 AND w.user_id = a.user_id AND w.id = a.id
     WHERE w.deleted_at IS NULL AND (w.seed_id = a.keys_id OR w.dealt_keys_id = a.keys_id)
     FOR SHARE OF w SKIP LOCKED) held`,
);

// The first one, exclusively.
const HOLD_ALONE = scopedStatement(
  'heldWallets.holdAlone',
  `SELECT id FROM wallets WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND deleted_at IS NULL
     AND (seed_id = $4 OR dealt_keys_id = $4)
   FOR NO KEY UPDATE`,
);

// Deleting a wallet also deletes its counters: to lock several of these rows, lock the wallet first.
const PIN = scopedStatement(
  'heldWallets.holdThere',
  'SELECT id FROM wallets WHERE environment_id = $1 AND id = $2 FOR KEY SHARE',
);

/** An embedded wallet with its keys. */
export interface HeldWallet extends VersionedWallet {
  readonly walletId: string;
  readonly chain: EmbeddedChain;
  readonly address: string;
  readonly keysId: string;
  readonly index: number;
  readonly isClaimed: boolean;
  /** Shares that are to replace the keys. */
  readonly dealtKeysId: string | null;
}

interface WantedWallet {
  readonly userId: string;
  readonly walletId: string;
}

/** Embedded wallets as seen by the code that uses their keys. */
@Injectable()
export class HeldWalletsRepository {
  private readonly wanted = new SharedQuestions<WantedWallet, HeldWallet | null>((environmentId, wanted) =>
    this.findAll(environmentId, wanted),
  );

  constructor(private readonly database: Database) {}

  /** Null unless it is an embedded wallet of the user that is not hidden. */
  async find(environmentId: EnvironmentId, userId: string, walletId: string): Promise<HeldWallet | null> {
    return this.wanted.put(environmentId, { userId, walletId });
  }

  /** The same for any user of the environment, for its team. */
  async findOfAnyone(
    environmentId: EnvironmentId,
    walletId: string,
  ): Promise<(HeldWallet & { readonly userId: string }) | null> {
    const values = [environmentId, walletId];
    return (await this.database.rows<HeldWallet & { userId: string }>(FIND_OF_ANYONE, values))[0] ?? null;
  }

  /** The user who has an embedded wallet with this address, hidden or not. */
  async findUserOf(
    environmentId: EnvironmentId,
    { spellings, chains }: AddressKey,
    on: Executor = this.database,
  ): Promise<string | null> {
    const rows = await on.rows<{ userId: string }>(FIND_USER_OF, [environmentId, spellings, chains]);
    return rows[0]?.userId ?? null;
  }

  /** Locks the wallet until the end of the transaction. False when it was hidden or deleted, or has other keys. */
  async hold(
    environmentId: EnvironmentId,
    userId: string,
    { walletId, keysId }: Pick<HeldWallet, 'walletId' | 'keysId'>,
    tx: Transaction,
  ): Promise<boolean> {
    return (await tx.rows(HOLD, [environmentId, userId, walletId, keysId])).length > 0;
  }

  /**
   * The same for several wallets, without waiting for the answer: the transaction fails (`wasUnmet`) unless it can lock
   * each of them at once.
   */
  holdAll(
    environmentId: EnvironmentId,
    wallets: readonly (WantedWallet & Pick<HeldWallet, 'keysId'>)[],
    tx: Transaction,
  ): void {
    tx.send(HOLD_ALL, [
      environmentId,
      wallets.map(({ userId }) => userId),
      wallets.map(({ walletId }) => walletId),
      wallets.map(({ keysId }) => keysId),
    ]);
  }

  /** The same for callers that may change it: waits for every holder. */
  async holdAlone(
    environmentId: EnvironmentId,
    userId: string,
    { walletId, keysId }: Pick<HeldWallet, 'walletId' | 'keysId'>,
    tx: Transaction,
  ): Promise<boolean> {
    return (await tx.rows(HOLD_ALONE, [environmentId, userId, walletId, keysId])).length > 0;
  }

  /** Keeps the wallet from being deleted until the end of the transaction, but not from being changed. */
  pin(environmentId: EnvironmentId, walletId: string, tx: Transaction): void {
    tx.send(PIN, [environmentId, walletId]);
  }

  private async findAll(
    environmentId: EnvironmentId,
    wanted: readonly WantedWallet[],
  ): Promise<readonly (HeldWallet | null)[]> {
    const rows = await this.database.rows<HeldWallet & { place: number }>(FIND_ALL, [
      environmentId,
      wanted.map(({ userId }) => userId),
      wanted.map(({ walletId }) => walletId),
    ]);
    const found = new Map(rows.map(({ place, ...wallet }) => [place, wallet]));
    return wanted.map((_, at) => found.get(at + 1) ?? null);
  }
}
