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

// A statement sees what was there when it began. One that had to wait for the row inside of `wallets.hide` would not see
// the credential that whoever brought the wallet back has just written, and leave it.
const LOCK = scopedStatement(
  'wallets.lockToHide',
  'SELECT id FROM wallets WHERE environment_id = $1 AND user_id = $2 AND id = $3 FOR NO KEY UPDATE',
);

// Whoever changes the row first has it; the others find no row in the state they look for.
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

// Locked one after the other in the order of their ids: of two callers at once, none holds what the other waits for.
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
   SELECT ${wallet} AS wallet FROM w ORDER BY w.created_at, w.id`,
  ),
);

const IS_EMBEDDED = scopedStatement(
  'wallets.checkEmbedded',
  "SELECT id FROM wallets WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND kind = 'embedded'",
);

interface WalletRow {
  wallet: UserWallet;
}

/** Embedded wallets that come and go at the wish of their users, with the credential that stands for each. */
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

  /** @returns the wallets that this call brought back: the one, or with null all of the user */
  async restore(
    environmentId: EnvironmentId,
    userId: string,
    walletId: string | null,
    tx: Transaction,
  ): Promise<UserWallet[]> {
    const rows = await tx.rows<WalletRow>(RESTORE(this.shown.json), [environmentId, userId, walletId]);
    return rows.map(({ wallet }) => wallet);
  }

  /** Whether the user has such a wallet, hidden or not. */
  async exists(environmentId: EnvironmentId, userId: string, walletId: string): Promise<boolean> {
    return (await this.database.rows(IS_EMBEDDED, [environmentId, userId, walletId])).length > 0;
  }
}
