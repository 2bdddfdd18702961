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

// A statement sees the data as of its start. If `wallets.hide` itself waited for the row, it would miss, and leave
// behind, a credential that a concurrent restore has just written.
const LOCK = scopedStatement(
  'wallets.lockToHide',
  'SELECT id FROM wallets WHERE environment_id = $1 AND user_id = $2 AND id = $3 FOR NO KEY UPDATE',
);

// The first to change the row wins; the others find no row in the state they expect.
const HIDE = statementFamily('wallets.hide', (name, wallet) =>
  scopedStatement(
    name,
    `WITH w AS (
     UPDATE wallets SET deleted_at = now(), updated_at = now()
     WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND kind = 'embedded' AND deleted_at IS NULL
     RETURNING *),
   gone AS (
     DELETE FROM credentials c USING w
     WHERE c.environment_id = $1 AND c.user_id = w.user_id AND c.wallet_id = w.id)
   SELECT ${wallet} AS wallet FROM w`,
  ),
);

// Locked in id order, so that concurrent callers cannot deadlock.
const RESTORE = statementFamily('wallets.restore', (name, wallet) =>
  scopedStatement(
    name,
    `WITH hidden AS (
     SELECT id FROM wallets
     WHERE environment_id = $1 AND user_id = $2 AND ($3::uuid IS NULL OR id = $3) AND deleted_at IS NOT NULL
     ORDER BY id FOR UPDATE),
   w AS (
     UPDATE wallets SET deleted_at = NULL, updated_at = now()
     WHERE environment_id = $1 AND id IN (SELECT id FROM hidden)
     RETURNING *)
   SELECT ${wallet} AS wallet, w.seed_id AS "keysId" FROM w ORDER BY w.created_at, w.id`,
  ),
);

const IS_EMBEDDED = scopedStatement(
  'wallets.checkEmbedded',
  "SELECT id FROM wallets WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND kind = 'embedded'",
);

interface WalletRow {
  readonly wallet: UserWallet;
}

/** A wallet that is back, and its keys, whoever holds them. */
export interface RestoredWallet extends WalletRow {
  readonly keysId: string;
}

/** Embedded wallets that users hide and restore, with the credential for each. */
@Injectable()
export class HiddenWalletsRepository {
  constructor(
    private readonly database: Database,
    private readonly shown: ShownWallets,
  ) {}

  /** Null unless this call hid it. */
  async hide(
    environmentId: EnvironmentId,
    userId: string,
    walletId: string,
    tx: Transaction,
  ): Promise<UserWallet | null> {
    tx.send(LOCK, [environmentId, userId, walletId]);
    return (await tx.rows<WalletRow>(HIDE(this.shown.json), [environmentId, userId, walletId]))[0]?.wallet ?? null;
  }

  /** @returns the wallets restored by this call: the one named, or with null all of the user */
  async restore(
    environmentId: EnvironmentId,
    userId: string,
    walletId: string | null,
    tx: Transaction,
  ): Promise<RestoredWallet[]> {
    return tx.rows<RestoredWallet>(RESTORE(this.shown.json), [environmentId, userId, walletId]);
  }

  /** Whether the user has such a wallet, hidden or not. */
  async exists(environmentId: EnvironmentId, userId: string, walletId: string): Promise<boolean> {
    return (await this.database.rows(IS_EMBEDDED, [environmentId, userId, walletId])).length > 0;
  }
}
