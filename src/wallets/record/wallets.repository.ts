import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  SharedQuestions,
  statementFamily,
  type EnvironmentId,
  type Executor,
  type Transaction,
} from '../../database/index.js';
import type { HeldAddress, UserWallet } from '../../identity/index.js';
import type {
  CustodyVersion,
  EmbeddedAccount,
  EmbeddedChain,
  SigningChain,
  ThresholdChain,
} from '../../custody/index.js';
import { ShownWallets } from './shown-wallets.js';
import { GOES_WITH_WALLET, NAMESPACES } from './wallet-identifiers.js';
import { ENDS_WITH_WALLET, SEED_OF_WALLET } from './wallet-seed.js';
import { ARE_OF_WALLET, DELETED_OF_WALLET, LAST_OF_KEYS, SHARES_DELETED, type DeletedShares } from './wallet-shares.js';
import { Wallet } from './wallet.entity.js';

const WALLETS_OF = statementFamily('wallets.listOfUser', (name, wallets) =>
  scopedStatement(name, `SELECT ${wallets} AS wallets FROM users u WHERE u.environment_id = $1 AND u.id = $2`),
);

const ADDRESSES_OF = scopedStatement(
  'wallets.listAddresses',
  'SELECT address, chain FROM wallets WHERE environment_id = $1 AND user_id = $2',
);

const BY_ID = statementFamily('wallets.find', (name, wallet) =>
  scopedStatement(
    name,
    `SELECT ${wallet} AS wallet FROM wallets w
   WHERE w.environment_id = $1 AND w.id = $2 AND w.deleted_at IS NULL`,
  ),
);

// `OFFSET 0` makes the planner start from the user: without statistics, an index ordered by chain seems as good.
const MADE_OF_SEED = `ARRAY(SELECT DISTINCT w.chain FROM (
     SELECT * FROM wallets WHERE environment_id = u.environment_id AND user_id = u.id OFFSET 0) w
   WHERE w.kind = 'embedded' AND w.account_index IS NOT NULL)`;

const CHAINS_OF = scopedStatement(
  'wallets.listChains',
  `SELECT u.id AS "userId", ${MADE_OF_SEED} AS chains
   FROM users u WHERE environment_id = $1 AND id = ANY(ARRAY(SELECT unnest($2::uuid[])))`,
);

// The user's row is not changed, only kept from being deleted until the end of the transaction.
const HOLD_USER = scopedStatement(
  'wallets.holdUser',
  `SELECT ${MADE_OF_SEED} AS chains
   FROM users u WHERE environment_id = $1 AND id = $2 FOR KEY SHARE OF u`,
);

const LOCK_USER = scopedStatement(
  'wallets.lockUser',
  'SELECT id FROM users WHERE environment_id = $1 AND id = $2 FOR UPDATE',
);

// The wallet is read after the insert, so that the response matches every later read. Ids are made in request order,
// which determines the main wallet.
const INSERT_EMBEDDED = statementFamily('wallets.insertEmbedded', (name, wallet) =>
  scopedStatement(
    name,
    `WITH made AS (
     INSERT INTO wallets (environment_id, id, user_id, kind, name, chain, address, public_key, provider, seed_id,
       account_index, derivation_path, version, claimed_at)
     SELECT $1, a.id, $2, 'embedded', $3, a.chain, a.address, a.public_key, 'embeddedWallet', $4,
       a.account_index, a.derivation_path, $5, CASE WHEN $12 THEN now() END
     FROM unnest((SELECT $6::uuid[]), (SELECT $7::text[]), (SELECT $8::text[]), (SELECT $9::text[]),
       (SELECT $10::int[]), (SELECT $11::text[])) AS a (id, chain, address, public_key, account_index, derivation_path)
     ON CONFLICT DO NOTHING RETURNING *)
   SELECT ${wallet} AS wallet FROM made w ORDER BY w.id`,
  ),
);

const COUNT_IMPORTED = scopedStatement(
  'wallets.countImported',
  `SELECT count(*)::int AS count FROM wallets
   WHERE environment_id = $1 AND user_id = $2 AND kind = 'embedded' AND account_index IS NULL AND version = 'V1'`,
);

const COUNT_SHARED = scopedStatement(
  'wallets.countShared',
  `SELECT count(*)::int AS count FROM wallets
   WHERE environment_id = $1 AND user_id = $2 AND kind = 'embedded' AND account_index IS NULL AND version IN ('V2', 'V3')`,
);

const SHARED_CHAINS = scopedStatement(
  'wallets.listSharedChains',
  `SELECT DISTINCT chain FROM wallets
   WHERE environment_id = $1 AND user_id = $2 AND kind = 'embedded' AND account_index IS NULL AND version = 'V3'`,
);

// The credential is updated as well: the user's main wallet is found by it. Either id names the wallet.
const SELECT = scopedStatement(
  'wallets.updateSelected',
  `WITH w AS (
     UPDATE wallets SET last_selected_at = now(), updated_at = now()
     WHERE environment_id = $1 AND user_id = $2 AND deleted_at IS NULL AND id = coalesce(
       (SELECT wallet_id FROM credentials WHERE environment_id = $1 AND user_id = $2 AND id = $3), $3)
     RETURNING id, last_selected_at),
   c AS (
     UPDATE credentials c SET last_selected_at = w.last_selected_at FROM w
     WHERE c.environment_id = $1 AND c.user_id = $2 AND c.wallet_id = w.id)
   SELECT id FROM w`,
);

// Locks the user first, as does everything that begins with the wallet and is deleted with either.
const LOCK_OWNER = scopedStatement(
  'wallets.lockOwner',
  `SELECT u.id FROM wallets w JOIN users u ON u.environment_id = w.environment_id AND u.id = w.user_id
   WHERE w.environment_id = $1 AND w.id = $2 FOR NO KEY UPDATE OF u`,
);

// A statement sees the data as of its start: had the deletion to wait for the row, it would miss a credential written
// meanwhile.
const LOCK_WALLET = scopedStatement(
  'wallets.lockToDelete',
  'SELECT id FROM wallets WHERE environment_id = $1 AND id = $2 FOR UPDATE',
);

const DELETE = statementFamily('wallets.delete', (name, wallet) =>
  scopedStatement(
    name,
    `WITH w AS (DELETE FROM wallets WHERE environment_id = $1 AND id = $2 AND deleted_at IS NULL RETURNING *),
   gone AS (
     DELETE FROM credentials c USING w
     WHERE c.environment_id = $1 AND c.user_id = w.user_id AND c.wallet_id = w.id),
   shares AS (
     DELETE FROM key_share_sets k USING w
     WHERE k.environment_id = $1 AND k.user_id = w.user_id AND ${ARE_OF_WALLET}
     RETURNING ${DELETED_OF_WALLET}),
   released AS (
     DELETE FROM identifier_claims k USING w
     WHERE k.environment_id = $1 AND k.user_id = w.user_id AND ${GOES_WITH_WALLET})
   SELECT w.user_id AS "userId", ${ENDS_WITH_WALLET} AS "endedKeysId",
     ${LAST_OF_KEYS} AS "lastOf", ${wallet} AS wallet, ${SHARES_DELETED} AS shares
   FROM w LEFT JOIN ${SEED_OF_WALLET}`,
  ),
);

/** An account as stored with a wallet: an imported or shared key has no index in a seed. */
export type StoredAccount = Omit<EmbeddedAccount, 'chain' | 'index' | 'path'> & {
  readonly chain: SigningChain;
  readonly index: number | null;
  readonly path: string | null;
};

export interface EmbeddedWalletDraft {
  readonly userId: string;
  readonly name: string;
  readonly keysId: string;
  readonly version: CustodyVersion;
  readonly claimed: boolean;
  /** With the ids for the new wallets. */
  readonly accounts: readonly (StoredAccount & { readonly id: string })[];
}

export interface DeletedWallet {
  readonly userId: string;
  /** Keys held by the service that end with it. */
  readonly endedKeysId: string | null;
  /** The keys that a custodian made for it, if no other wallet names them. */
  readonly lastOf: { readonly keysId: string; readonly version: CustodyVersion } | null;
  readonly shares: readonly DeletedShares[];
  readonly wallet: UserWallet;
}

interface WalletRow {
  wallet: UserWallet;
}

@Injectable()
export class WalletsRepository extends ScopedRepository<Wallet> {
  private readonly chains = new SharedQuestions<string, EmbeddedChain[]>((environmentId, userIds) =>
    this.chainsOfAll(environmentId, userIds),
  );

  constructor(
    database: Database,
    private readonly shown: ShownWallets,
  ) {
    super(database, Wallet);
  }

  /** Null for an unknown user. */
  async findOfUser(environmentId: EnvironmentId, userId: string): Promise<UserWallet[] | null> {
    const [row] = await this.database.rows<{ wallets: UserWallet[] }>(WALLETS_OF(this.shown.listJson), [
      environmentId,
      userId,
    ]);
    return row?.wallets ?? null;
  }

  async findById(environmentId: EnvironmentId, id: string, on: Executor = this.database): Promise<UserWallet | null> {
    const [row] = await on.rows<WalletRow>(BY_ID(this.shown.json), [environmentId, id]);
    return row?.wallet ?? null;
  }

  /** With those of hidden wallets. */
  listAddresses(environmentId: EnvironmentId, userId: string, on: Executor = this.database): Promise<HeldAddress[]> {
    return on.rows<HeldAddress>(ADDRESSES_OF, [environmentId, userId]);
  }

  /** Chains on which the user has an account of the HD seed. */
  async chainsOf(environmentId: EnvironmentId, userId: string): Promise<EmbeddedChain[]> {
    return this.chains.put(environmentId, userId);
  }

  /**
   * Inserts the wallets that the user lacks, after waiting for any concurrent request that inserts the same.
   *
   * @param draft accounts in the same order for all callers, so that they cannot deadlock
   * @returns the wallets created by this call
   */
  async insertEmbedded(
    environmentId: EnvironmentId,
    draft: EmbeddedWalletDraft,
    tx: Transaction,
  ): Promise<UserWallet[]> {
    const { userId, name, keysId, version, claimed, accounts } = draft;
    const rows = await tx.rows<WalletRow>(INSERT_EMBEDDED(this.shown.json), [
      environmentId,
      userId,
      name,
      keysId,
      version,
      accounts.map(({ id }) => id),
      accounts.map(({ chain }) => chain),
      accounts.map(({ address }) => address),
      accounts.map(({ publicKey }) => publicKey),
      accounts.map(({ index }) => index),
      accounts.map(({ path }) => path),
      claimed,
    ]);
    return rows.map(({ wallet }) => wallet);
  }

  /**
   * Keeps the user from being deleted until the end of the transaction.
   *
   * @returns the chains on which the user has an account of the HD seed; null for a deleted user
   */
  async holdUser(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<EmbeddedChain[] | null> {
    const [row] = await tx.rows<{ chains: EmbeddedChain[] }>(HOLD_USER, [environmentId, userId]);
    return row?.chains ?? null;
  }

  /** Waits for every transaction that holds the user, and blocks new ones. False for an unknown user. */
  async lockUser(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<boolean> {
    return (await tx.rows(LOCK_USER, [environmentId, userId])).length > 0;
  }

  /** Wallets of imported keys, hidden or not. */
  async countImported(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<number> {
    return (await tx.rows<{ count: number }>(COUNT_IMPORTED, [environmentId, userId]))[0]!.count;
  }

  /** Wallets with shared keys, hidden or not. */
  async countShared(environmentId: EnvironmentId, userId: string, on: Executor = this.database): Promise<number> {
    return (await on.rows<{ count: number }>(COUNT_SHARED, [environmentId, userId]))[0]!.count;
  }

  /** Chains on which the user has a wallet with a shared key, hidden or not. */
  async sharedChainsOf(
    environmentId: EnvironmentId,
    userId: string,
    on: Executor = this.database,
  ): Promise<ThresholdChain[]> {
    const rows = await on.rows<{ chain: ThresholdChain }>(SHARED_CHAINS, [environmentId, userId]);
    return rows.map(({ chain }) => chain);
  }

  /** Makes it the user's main wallet. False unless it is a wallet of the user that is not hidden. */
  async select(environmentId: EnvironmentId, userId: string, walletId: string, tx: Transaction): Promise<boolean> {
    return (await tx.rows(SELECT, [environmentId, userId, walletId])).length > 0;
  }

  /** Waits for everything that uses the wallet, before it is deleted. */
  lockToRemove(environmentId: EnvironmentId, walletId: string, tx: Transaction): void {
    tx.send(LOCK_OWNER, [environmentId, walletId]);
    tx.send(LOCK_WALLET, [environmentId, walletId]);
  }

  /**
   * Deletes the wallet, locked before, with its credential, so that it can no longer sign in. Null for an unknown
   * wallet.
   */
  async remove(environmentId: EnvironmentId, walletId: string, tx: Transaction): Promise<DeletedWallet | null> {
    return (await tx.rows<DeletedWallet>(DELETE(this.shown.json), [environmentId, walletId, NAMESPACES]))[0] ?? null;
  }

  private async chainsOfAll(environmentId: EnvironmentId, userIds: readonly string[]): Promise<EmbeddedChain[][]> {
    const values = [environmentId, userIds];
    const rows = await this.database.rows<{ userId: string; chains: EmbeddedChain[] }>(CHAINS_OF, values);
    const chains = new Map(rows.map((row) => [row.userId, row.chains]));
    return userIds.map((userId) => chains.get(userId.toLowerCase()) ?? []);
  }
}
