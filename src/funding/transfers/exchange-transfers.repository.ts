import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  dueRowsStatement,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import { ExchangeTransfer, type TransferState } from './exchange-transfer.entity.js';
import type { OtherPayout } from './find-payout.js';

/** Of concurrent calls with a code, one sends. */
const SEND_AGAIN = scopedStatement(
  'exchangeTransfers.sendAgain',
  `UPDATE exchange_transfers SET state = 'sending', sent_at = now(), checked_at = now(), updated_at = now(), refusal = NULL
   WHERE environment_id = $1 AND id = $2 AND state = 'mfa_required'`,
);
/** A settled payout does not change. */
const SETTLE = scopedStatement(
  'exchangeTransfers.markSettled',
  `UPDATE exchange_transfers SET state = $3, reference = $4, vendor_status = $5, refusal = $6, checked_at = now(),
     updated_at = now()
   WHERE environment_id = $1 AND id = $2 AND state IN ('sending', 'unknown')`,
);
/** Reopens the payout, unless an equal one is open. */
const RELEASE_NAME = scopedStatement(
  'exchangeTransfers.releaseName',
  `UPDATE exchange_transfers t SET reference = NULL, vendor_status = NULL, refusal = NULL, updated_at = now(),
     state = CASE WHEN EXISTS (
       SELECT FROM exchange_transfers o
       WHERE o.environment_id = $1 AND o.user_id = t.user_id AND o.exchange = t.exchange AND o.account_id = t.account_id
         AND lower(o.recipient) = lower(t.recipient) AND o.amount = t.amount AND o.currency = t.currency
         AND o.state IN ('sending', 'unknown')) THEN t.state ELSE 'unknown' END
   WHERE t.environment_id = $1 AND t.exchange = $2 AND t.reference = $3 AND t.id <> $4
   RETURNING t.id`,
);
/** Uses the clock that set `sent_at`, not that of an instance. */
const WAS_SENT_BEFORE = scopedStatement(
  'exchangeTransfers.checkSentBefore',
  `SELECT sent_at < now() - make_interval(secs => $3) AS "isSo" FROM exchange_transfers
   WHERE environment_id = $1 AND id = $2`,
);
/** Payouts that the vendor has or may have. */
const OTHERS = scopedStatement(
  'exchangeTransfers.listOthers',
  `SELECT reference, amount FROM exchange_transfers
   WHERE environment_id = $1 AND user_id = $2 AND id <> $3 AND (reference IS NOT NULL OR state IN ('sending', 'unknown'))
   ORDER BY created_at DESC LIMIT 1000`,
);
/** Runs across environments, which the check learns from the rows. */
const CLAIM = dueRowsStatement(
  'exchangeTransfers.claimOpen',
  `WITH open AS MATERIALIZED (
     SELECT environment_id, id FROM exchange_transfers
     WHERE state IN ('sending', 'unknown') AND checked_at <= now() - make_interval(secs => $1)
     ORDER BY checked_at LIMIT $2 FOR UPDATE SKIP LOCKED)
   UPDATE exchange_transfers t SET checked_at = now() FROM open
   WHERE t.environment_id = open.environment_id AND t.id = open.id
   RETURNING t.environment_id AS "environmentId", t.id`,
);

export interface Settlement {
  state: TransferState;
  reference?: string | null;
  vendorStatus?: string | null;
  refusal?: ExchangeTransfer['refusal'];
}

@Injectable()
export class ExchangeTransfersRepository extends ScopedRepository<ExchangeTransfer> {
  constructor(database: Database) {
    super(database, ExchangeTransfer);
  }

  /** False when another call does or did. @throws a violation of `ONE_OPEN` while an equal one is open */
  async sendAgain(environmentId: EnvironmentId, id: string, tx: Transaction): Promise<boolean> {
    return (await tx.execute(SEND_AGAIN, [environmentId, id])) === 1;
  }

  /** False when it was settled before. @throws a violation of `ONE_NAMED` where another payout has the reference */
  async settle(environmentId: EnvironmentId, id: string, to: Settlement, tx: Transaction): Promise<boolean> {
    const { state, reference = null, vendorStatus = null, refusal = null } = to;
    return (await tx.execute(SETTLE, [environmentId, id, state, reference, vendorStatus, refusal])) === 1;
  }

  /** Takes a vendor reference away from another payout, for the one it belongs to. @returns the id of the other */
  async releaseName(
    environmentId: EnvironmentId,
    { id, exchange, reference }: Pick<ExchangeTransfer, 'id' | 'exchange' | 'reference'>,
    tx: Transaction,
  ): Promise<string | null> {
    return (await tx.rows<{ id: string }>(RELEASE_NAME, [environmentId, exchange, reference, id]))[0]?.id ?? null;
  }

  /** Whether it was sent longer ago than this. */
  async wasSentBefore(environmentId: EnvironmentId, id: string, agoSeconds: number): Promise<boolean> {
    const [row] = await this.database.rows<{ isSo: boolean }>(WAS_SENT_BEFORE, [environmentId, id, agoSeconds]);
    return row?.isSo === true;
  }

  /** A user's other payouts that a transaction at the vendor may belong to. */
  othersOf(
    environmentId: EnvironmentId,
    { userId, id }: Pick<ExchangeTransfer, 'userId' | 'id'>,
  ): Promise<OtherPayout[]> {
    return this.database.rows(OTHERS, [environmentId, userId, id]);
  }

  /** Open payouts not checked for a while; each goes to one caller. */
  claimOpen(agedSeconds: number, limit: number): Promise<{ environmentId: EnvironmentId; id: string }[]> {
    return this.database.rows(CLAIM, [agedSeconds, limit]);
  }
}
