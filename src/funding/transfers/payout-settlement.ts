import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Outbox, UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { ExchangeSessions } from './exchange-sessions.js';
import type { ExchangeTransfer } from './exchange-transfer.entity.js';
import { EXCHANGE_TRANSFER_UPDATED } from './exchange-transfer.events.js';
import { ExchangeTransfersRepository, type Settlement } from './exchange-transfers.repository.js';
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
    const found = findPayout(row, transactions, others);
    if (found) {
      const { reference: name, status = 'pending' } = found;
      return this.settle(environmentId, id, { state: 'sent', reference: name, vendorStatus: status });
    }
    const isOver = this.clock.timestamp() - row.sentAt.getTime() > NOT_SENT_AFTER_MS;
    return isOver && reachesBackTo(row.sentAt, transactions) && !mayHideAPayout(row, transactions, others)
      ? this.settle(environmentId, id, { state: 'not_sent' })
      : row;
  }
}
