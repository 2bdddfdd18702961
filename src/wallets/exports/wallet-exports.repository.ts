import { Injectable } from '@nestjs/common';
import type { HpkeKem } from '../../custody/index.js';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import { WalletExport } from './wallet-export.entity.js';

/** How long a key can be fetched: from the request, or from the end of a delay, when nobody is waiting for it. */
const EXPORT_SECONDS = 300;
const AFTER_DELAY_SECONDS = 86_400;

const OPEN = scopedStatement(
  'walletExports.insert',
  `INSERT INTO wallet_exports (environment_id, id, user_id, session_id, wallet_id, kem, public_key, available_at,
     expires_at)
   SELECT $1, $2, $3, $4, w.id, $6, $7, CASE WHEN $8::int > 0 THEN now() + make_interval(hours => $8) END,
     now() + make_interval(hours => $8,
       secs => CASE WHEN $8 > 0 THEN ${AFTER_DELAY_SECONDS} ELSE ${EXPORT_SECONDS} END)
   FROM wallets w WHERE w.environment_id = $1 AND w.user_id = $3 AND w.id = $5 AND w.deleted_at IS NULL FOR SHARE
   RETURNING available_at AS "availableAt"`,
);

const WAITING = scopedStatement(
  'walletExports.findWaiting',
  `SELECT available_at AS "availableAt" FROM wallet_exports
   WHERE environment_id = $1 AND id = $2 AND user_id = $3 AND session_id = $4 AND wallet_id = $5
     AND used_at IS NULL AND available_at > now()`,
);

const USE = scopedStatement(
  'walletExports.redeem',
  `UPDATE wallet_exports SET used_at = now()
   WHERE environment_id = $1 AND id = $2 AND user_id = $3 AND session_id = $4 AND wallet_id = $5
     AND used_at IS NULL AND expires_at > now() AND (available_at IS NULL OR available_at <= now())
   RETURNING kem, public_key AS "publicKey"`,
);

const GIVE_BACK = scopedStatement(
  'walletExports.restore',
  `UPDATE wallet_exports SET used_at = NULL
   WHERE environment_id = $1 AND id = $2 AND user_id = $3 AND session_id = $4 AND wallet_id = $5`,
);

const WITHDRAW = scopedStatement(
  'walletExports.delete',
  'DELETE FROM wallet_exports WHERE environment_id = $1 AND id = $2 AND user_id = $3 AND session_id = $4 AND wallet_id = $5',
);

/** Used exports are deleted too, since the call that used one may still give it back. */
const END = scopedStatement(
  'walletExports.end',
  'DELETE FROM wallet_exports WHERE environment_id = $1 AND wallet_id = $2',
);

/** The export to fetch, and the caller. */
export interface ExportClaim {
  readonly activityId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly walletId: string;
}

export interface ExportRecipient {
  readonly kem: HpkeKem;
  readonly publicKey: Buffer;
}

@Injectable()
export class WalletExportsRepository extends ScopedRepository<WalletExport> {
  constructor(database: Database) {
    super(database, WalletExport);
  }

  /** Null when the wallet was removed meanwhile. */
  async open(
    environmentId: EnvironmentId,
    claim: ExportClaim,
    { kem, publicKey }: ExportRecipient,
    delayHours: number,
  ): Promise<{ readonly availableAt: Date | null } | null> {
    const { activityId, userId, sessionId, walletId } = claim;
    const values = [environmentId, activityId, userId, sessionId, walletId, kem, publicKey, delayHours];
    return (await this.database.rows<{ availableAt: Date | null }>(OPEN, values))[0] ?? null;
  }

  /** When an export that is not ready yet can be fetched; null in any other case. */
  async findWaiting(environmentId: EnvironmentId, claim: ExportClaim): Promise<Date | null> {
    const { activityId, userId, sessionId, walletId } = claim;
    const values = [environmentId, activityId, userId, sessionId, walletId];
    return (await this.database.rows<{ availableAt: Date }>(WAITING, values))[0]?.availableAt ?? null;
  }

  /** The recipient, for the one call that fetches in time; null for all others. */
  async use(
    environmentId: EnvironmentId,
    { activityId, userId, sessionId, walletId }: ExportClaim,
  ): Promise<ExportRecipient | null> {
    const values = [environmentId, activityId, userId, sessionId, walletId];
    return (await this.database.rows<ExportRecipient>(USE, values))[0] ?? null;
  }

  /** For the call that used it, when it returns nothing. */
  async giveBack(
    environmentId: EnvironmentId,
    { activityId, userId, sessionId, walletId }: ExportClaim,
  ): Promise<void> {
    await this.database.execute(GIVE_BACK, [environmentId, activityId, userId, sessionId, walletId]);
  }

  /** For the call that opened it, when it does not answer. */
  async withdraw(
    environmentId: EnvironmentId,
    { activityId, userId, sessionId, walletId }: ExportClaim,
  ): Promise<void> {
    await this.database.execute(WITHDRAW, [environmentId, activityId, userId, sessionId, walletId]);
  }

  /** For a wallet that its user hides and may restore: earlier requests can no longer be fetched then. */
  end(environmentId: EnvironmentId, walletId: string, tx: Transaction): void {
    tx.send(END, [environmentId, walletId]);
  }
}
