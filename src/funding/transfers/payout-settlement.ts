import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Outbox, UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { ExchangeSessions } from './exchange-sessions.js';
import type { ExchangeTransfer } from './exchange-transfer.entity.js';
import { EXCHANGE_TRANSFER_UPDATED } from './exchange-transfer.events.js';
import { ExchangeTransfersRepository, type Settlement } from './exchange-transfers.repository.js';
import type { VendorTransaction } from './exchange-vendor.js';
import { findPayout, mayHideAPayout, reachesBackTo } from './find-payout.js';
import { payloadOf } from './shown-transfer.js';

/** A payout that the vendor does not list after this time has not reached it. */
const NOT_SENT_AFTER_MS = 600_000;

/** Brings payouts to their end, once each. Nothing is ever sent from here. */
@Injectable()
export class PayoutSettlement {
  constructor(
    private readonly transfers: ExchangeTransfersRepository,
    private readonly sessions: ExchangeSessions,
    private readonly work: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** The row as it is then, whoever settled it. */
  async settle(environmentId: EnvironmentId, id: string, to: Settlement): Promise<ExchangeTransfer> {
    return this.work.run(async (tx) => {
      const isNew = await this.transfers.settle(environmentId, id, to, tx);
      const row = (await this.transfers.find(environmentId, { id }, tx))!;
      if (!isNew) return row;
      const draft = { event: EXCHANGE_TRANSFER_UPDATED, resourceId: id, data: payloadOf(row), userId: row.userId };
      await this.outbox.append(environmentId, [draft], tx);
      return row;
    });
  }

  /** Looks at the vendor for what became of an open payout. @throws VendorUnavailableError, PayoutRefused `scopes` */
  async lookUp(environmentId: EnvironmentId, row: ExchangeTransfer): Promise<ExchangeTransfer> {
    const { id, userId, exchange, vendorAccount: reference, accountId } = row;
    const open = await this.sessions.reopen(environmentId, userId, exchange);
    if (!open || open.session.credentialId !== row.credentialId) return row;
    const account = { reference, id: accountId, balances: [] };
    const transactions = await open.vendor.transactions(open.session, [account]);
    const others = await this.transfers.othersOf(environmentId, row);
    const [failed, live] = [transactions.filter(hasFailed), transactions.filter((one) => !hasFailed(one))];
    const found = findPayout(row, live, others);
    if (found) return this.settle(environmentId, id, { state: 'sent', ...namedBy(found) });
    const isOver = this.clock.timestamp() - row.sentAt.getTime() > NOT_SENT_AFTER_MS;
    if (!isOver || !reachesBackTo(row.sentAt, transactions) || mayHideAPayout(row, live, others)) return row;
    // Not sooner: it may be another one of the person's, and this one be listed yet.
    const refused = findPayout(row, failed, others);
    if (!refused) return this.settle(environmentId, id, { state: 'not_sent' });
    return this.settle(environmentId, id, { state: 'refused', refusal: 'other', ...namedBy(refused) });
  }
}

const hasFailed = (one: VendorTransaction): boolean => one.hasFailed === true;

const namedBy = ({ reference, status: vendorStatus = 'pending' }: VendorTransaction) => ({ reference, vendorStatus });
