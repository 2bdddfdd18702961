import { Injectable } from '@nestjs/common';
import type { EmbeddedChain, ThresholdChain } from '../../custody/index.js';
import {
  Database,
  scopedStatement,
  statementFamily,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import type { UserWallet } from '../../identity/index.js';
import { ShownWallets } from '../record/shown-wallets.js';

// Keys are destroyed as a whole: those of any wallet that is not upgraded, hidden or not, are still needed.
const FIND = scopedStatement(
  'walletUpgrades.list',
  `SELECT w.id AS "walletId", w.chain, w.address, w.seed_id AS "keysId", coalesce(w.account_index, 0) AS "index",
     w.dealt_keys_id AS "dealtKeysId", EXISTS (
       SELECT FROM wallets o
       WHERE o.environment_id = w.environment_id AND o.user_id = w.user_id AND o.seed_id = w.seed_id
         AND o.version = 'V1' AND (o.chain NOT IN ('SOL', 'SUI') OR o.claimed_at IS NULL OR o.deleted_at IS NOT NULL)
     ) AS "isBound"
   FROM wallets w
   WHERE w.environment_id = $1 AND w.user_id = $2 AND w.kind = 'embedded' AND w.version = 'V1'
     AND w.chain IN ('SOL', 'SUI') AND w.claimed_at IS NOT NULL AND w.deleted_at IS NULL
   ORDER BY w.id`,
);

// Of concurrent calls, one deals the shares that count.
const BEGIN = scopedStatement(
  'walletUpgrades.begin',
  `UPDATE wallets SET dealt_keys_id = $4, updated_at = now()
   WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND version = 'V1' AND dealt_keys_id IS NULL
     AND claimed_at IS NOT NULL AND deleted_at IS NULL`,
);

// Signing with the old keys locks the row: it either commits before this, or finds the new keys here.
const FINISH = scopedStatement(
  'walletUpgrades.finish',
  `WITH was AS (
     SELECT id, seed_id FROM wallets
     WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND version = 'V1' AND dealt_keys_id = $4
       AND deleted_at IS NULL
     FOR NO KEY UPDATE)
   UPDATE wallets w SET version = 'V3', seed_id = $4, dealt_keys_id = NULL, upgraded_from = was.seed_id,
     account_index = NULL, derivation_path = NULL, updated_at = now()
   FROM was WHERE w.environment_id = $1 AND w.id = was.id
   RETURNING was.seed_id AS "keysId"`,
);

const COUNT_LEFT = scopedStatement(
  'walletUpgrades.countLeft',
  `SELECT count(*)::int AS "left", count(*) FILTER (WHERE dealt_keys_id IS NULL)::int AS bound
   FROM wallets WHERE environment_id = $1 AND user_id = $2 AND seed_id = $3 AND kind = 'embedded'`,
);

const FIND_UPGRADED = scopedStatement(
  'walletUpgrades.findUpgraded',
  'SELECT id FROM wallets WHERE environment_id = $1 AND user_id = $2 AND upgraded_from = $3 LIMIT 1',
);

/** The ledger knows which accounts are of which seed. */
const NOTE_SEEDS = scopedStatement(
  'walletUpgrades.noteSeeds',
  `UPDATE wallets w SET upgraded_from = s.id
   FROM wallet_seeds s
   WHERE w.environment_id = $1 AND w.kind = 'embedded' AND w.version = 'V3' AND w.account_index IS NULL
     AND w.upgraded_from IS NULL AND s.environment_id = $1 AND s.user_id = w.user_id AND s.kind = 'hd-entropy'
     AND s.destroy_after IS NULL
     AND EXISTS (SELECT FROM wallets o WHERE o.environment_id = $1 AND o.user_id = w.user_id AND o.seed_id = s.id)
     AND EXISTS (
       SELECT FROM key_ledger k
       WHERE k.environment_id = $1 AND k.keys_id = s.id AND k.operation IN ('create', 'derive')
         AND k.subject->'accounts' @> jsonb_build_array(jsonb_build_object('chain', w.chain, 'address', w.address)))`,
);

const TELL = statementFamily('walletUpgrades.updateCredential', (name, wallet) =>
  scopedStatement(
    name,
    `WITH x AS (
     SELECT ${wallet} AS wallet FROM wallets w
     WHERE w.environment_id = $1 AND w.user_id = $2 AND w.id = $3),
   credential AS (
     UPDATE credentials c SET wallet_properties = jsonb_strip_nulls((x.wallet->'properties')::jsonb) FROM x
     WHERE c.environment_id = $1 AND c.user_id = $2 AND c.wallet_id = $3)
   SELECT wallet FROM x`,
  ),
);

/** A wallet whose key the service holds and could share. */
export interface UpgradableWallet {
  readonly walletId: string;
  readonly chain: EmbeddedChain & ThresholdChain;
  readonly address: string;
  readonly keysId: string;
  readonly index: number;
  /** Shares that were already dealt. */
  readonly dealtKeysId: string | null;
  /** Its keys also belong to another wallet, which cannot be upgraded. */
  readonly isBound: boolean;
}

/** Wallets being upgraded from a key held by the service to a shared one. */
@Injectable()
export class WalletUpgradesRepository {
  constructor(
    private readonly database: Database,
    private readonly shown: ShownWallets,
  ) {}

  list(environmentId: EnvironmentId, userId: string): Promise<UpgradableWallet[]> {
    return this.database.rows(FIND, [environmentId, userId]);
  }

  /** False when shares were already dealt, or the wallet has changed. */
  async begin(
    environmentId: EnvironmentId,
    { userId, walletId, keysId }: { userId: string; walletId: string; keysId: string },
    tx: Transaction,
  ): Promise<boolean> {
    return (await tx.execute(BEGIN, [environmentId, userId, walletId, keysId])) === 1;
  }

  /** @returns the previous keys; null for a wallet that is not waiting for an upgrade to these shares */
  async complete(
    environmentId: EnvironmentId,
    { userId, walletId, keysId }: { userId: string; walletId: string; keysId: string },
    tx: Transaction,
  ): Promise<string | null> {
    const rows = await tx.rows<{ keysId: string }>(FINISH, [environmentId, userId, walletId, keysId]);
    return rows[0]?.keysId ?? null;
  }

  /** How many wallets still use the keys, and how many of those are not waiting for an upgrade. */
  async countLeft(
    environmentId: EnvironmentId,
    userId: string,
    keysId: string,
    tx: Transaction,
  ): Promise<{ left: number; bound: number }> {
    return (await tx.rows<{ left: number; bound: number }>(COUNT_LEFT, [environmentId, userId, keysId]))[0]!;
  }

  /** Whether a wallet that was made from the keys has a shared key by now. */
  async areShared(environmentId: EnvironmentId, userId: string, keysId: string, tx: Transaction): Promise<boolean> {
    return (await tx.rows(FIND_UPGRADED, [environmentId, userId, keysId])).length > 0;
  }

  /** For wallets that an earlier version upgraded: notes the seed that other wallets still need. */
  async noteSeeds(environmentId: EnvironmentId, tx: Transaction): Promise<void> {
    await tx.execute(NOTE_SEEDS, [environmentId]);
  }

  /** Brings the credential in line with the wallet, and returns the wallet. */
  async updateCredential(
    environmentId: EnvironmentId,
    { userId, walletId }: { userId: string; walletId: string },
    tx: Transaction,
  ): Promise<UserWallet> {
    return (await tx.rows<{ wallet: UserWallet }>(TELL(this.shown.json), [environmentId, userId, walletId]))[0]!.wallet;
  }
}
