import { Injectable } from '@nestjs/common';
import { Outbox, UnitOfWork, violatedConstraint, type EnvironmentId, type Transaction } from '../../database/index.js';
import { ExchangeSessions, type OpenExchange } from './exchange-sessions.js';
import { ONE_NAMED, type ExchangeTransfer } from './exchange-transfer.entity.js';
import { EXCHANGE_TRANSFER_UPDATED } from './exchange-transfer.events.js';
import { ExchangeTransfersRepository, type Settlement } from './exchange-transfers.repository.js';
import type { SentPayout, VendorTransaction } from './exchange-vendor.js';
import { findPayout, mayHideAPayout, reachesBackTo } from './find-payout.js';
import { payloadOf } from './shown-transfer.js';

/** A payout still not listed by the vendor after this time has not reached it. */
const NOT_SENT_AFTER_SECONDS = 600;

/** Settles each payout once. Never sends anything. */
@Injectable()
export class PayoutSettlement {
  constructor(
    private readonly transfers: ExchangeTransfersRepository,
    private readonly sessions: ExchangeSessions,
    private readonly work: UnitOfWork,
    private readonly outbox: Outbox,
  ) {}

  /** Returns the resulting row, whichever call settled it. */
  settle(environmentId: EnvironmentId, id: string, to: Settlement): Promise<ExchangeTransfer> {
    return this.work.run((tx) => this.write(environmentId, id, to, tx));
  }

  /** Settles a payout by the reference in the vendor's response, taking it from any payout wrongly matched to it. */
  async settleNamed(
    environmentId: EnvironmentId,
    { id, exchange }: ExchangeTransfer,
    { reference, status }: SentPayout,
  ): Promise<ExchangeTransfer> {
    const sent: Settlement = { state: 'sent', reference, vendorStatus: status };
    return unlessNamed(this.settle(environmentId, id, sent), () =>
      this.work.run(async (tx) => {
        const other = await this.transfers.releaseName(environmentId, { id, exchange, reference }, tx);
        if (other) await this.tell(environmentId, other, tx);
        return this.write(environmentId, id, sent, tx);
      }),
    );
  }

  /** Looks up at the vendor what became of an open payout. @throws VendorUnavailableError, PayoutRefused `scopes` */
  async lookUp(environmentId: EnvironmentId, row: ExchangeTransfer): Promise<ExchangeTransfer> {
    const { id, userId, exchange, vendorAccount: reference, accountId } = row;
    const open = await this.sessions.reopen(environmentId, userId, exchange);
    if (!open || !(await hasAccountOf(row, open))) return row;
    const account = { reference, id: accountId, balances: [] };
    const transactions = await open.vendor.transactions(open.session, [account]);
    const others = await this.transfers.othersOf(environmentId, row);
    const [failed, live] = [transactions.filter(hasFailed), transactions.filter((one) => !hasFailed(one))];
    const found = findPayout(row, live, others);
    if (found) return this.settleFound(environmentId, row, { state: 'sent', ...namedBy(found) });
    const isOver = await this.transfers.wasSentBefore(environmentId, id, NOT_SENT_AFTER_SECONDS);
    if (!isOver || !reachesBackTo(row.sentAt, transactions) || mayHideAPayout(row, live, others)) return row;
    // Only now: a failed transaction may be another payout of the user, while this one is not listed yet.
    const refused = findPayout(row, failed, others);
    if (!refused) return this.settle(environmentId, id, { state: 'not_sent' });
    return this.settleFound(environmentId, row, { state: 'refused', refusal: 'other', ...namedBy(refused) });
  }

  /** Stays open if the match belongs to another payout that was not known at the time of the lookup. */
  private settleFound(environmentId: EnvironmentId, row: ExchangeTransfer, to: Settlement): Promise<ExchangeTransfer> {
    return unlessNamed(this.settle(environmentId, row.id, to), () => Promise.resolve(row));
  }

  private async write(
    environmentId: EnvironmentId,
    id: string,
    to: Settlement,
    tx: Transaction,
  ): Promise<ExchangeTransfer> {
    if (await this.transfers.settle(environmentId, id, to, tx)) return this.tell(environmentId, id, tx);
    return (await this.transfers.find(environmentId, { id }, tx))!;
  }

  private async tell(environmentId: EnvironmentId, id: string, tx: Transaction): Promise<ExchangeTransfer> {
    const row = (await this.transfers.find(environmentId, { id }, tx))!;
    const draft = { event: EXCHANGE_TRANSFER_UPDATED, resourceId: id, data: payloadOf(row), userId: row.userId };
    await this.outbox.append(environmentId, [draft], tx);
    return row;
  }
}

/** An account that was relinked is the same one if its id is the exchange's own; otherwise it counts as another. */
const hasAccountOf = async (
  { credentialId, accountId, vendorAccount }: ExchangeTransfer,
  { vendor, session }: OpenExchange,
): Promise<boolean> =>
  session.credentialId === credentialId ||
  (await vendor.accounts(session)).some(({ id, reference }) => id === accountId && reference === vendorAccount);

/** The alternative if another payout has the reference. */
const unlessNamed = <T>(work: Promise<T>, otherwise: () => Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (violatedConstraint(error) !== ONE_NAMED) throw error;
    return otherwise();
  });

const hasFailed = (one: VendorTransaction): boolean => one.hasFailed === true;

const namedBy = ({ reference, status: vendorStatus = 'pending' }: VendorTransaction) => ({ reference, vendorStatus });
