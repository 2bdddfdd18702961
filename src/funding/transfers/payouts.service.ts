import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import { notFound, validationFailed } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { Outbox, UnitOfWork, violatedConstraint, type EnvironmentId } from '../../database/index.js';
import { VendorUnavailableError } from '../../networks/index.js';
import type { ExchangeKey } from '../exchanges/exchange.dto.js';
import { networkNamed } from '../network-names.js';
import type { CreateExchangeTransferRequest, ExchangeTransferResponse } from './exchange-account.dto.js';
import { asExchangeError } from './exchange-faults.js';
import { ExchangeSessions, type OpenExchange } from './exchange-sessions.js';
import { ONE_OPEN, type ExchangeTransfer } from './exchange-transfer.entity.js';
import {
  invalidTransferCurrency,
  invalidTransferNetwork,
  PAYOUT_ERRORS,
  transferAmountTooSmall,
  transferIdUsed,
  transferMfaFailed,
  transferMfaRequired,
  transferOpen,
  unknownTransferError,
} from './exchange-transfer.errors.js';
import { EXCHANGE_TRANSFER_CREATED } from './exchange-transfer.events.js';
import { ExchangeTransfersRepository } from './exchange-transfers.repository.js';
import { PayoutRefused } from './exchange-vendor.js';
import { PayoutSettlement } from './payout-settlement.js';
import { plainDecimal } from './plain-decimal.js';
import { recipientKey } from './recipient.js';
import { payloadOf, shownTransfer } from './shown-transfer.js';

/** A repetition within this time finds the payout still being sent. */
const SENDING_MS = 15_000;

type Planned = Omit<
  ExchangeTransfer,
  'environmentId' | 'createdAt' | 'sentAt' | 'checkedAt' | 'updatedAt' | 'vendorStatus' | 'reference' | 'refusal'
>;

/**
 * Payouts from exchange accounts. A payout is stored before it is sent; only the call that stored it sends it, once: an
 * unknown outcome is looked up instead. Only a payout that the vendor refused for lack of a code is sent again with the
 * code, by one call.
 */
@Injectable()
export class Payouts {
  constructor(
    private readonly sessions: ExchangeSessions,
    private readonly transfers: ExchangeTransfersRepository,
    private readonly settlement: PayoutSettlement,
    private readonly work: UnitOfWork,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  async create(
    environmentId: EnvironmentId,
    { userId }: EndUserPrincipal,
    { exchange, accountId }: { exchange: ExchangeKey; accountId: string },
    request: CreateExchangeTransferRequest,
  ): Promise<ExchangeTransferResponse> {
    const mfaCode = codeIn(request);
    const asked = { ...plan(request), userId, exchange, accountId };
    const earlier = request.id === undefined ? null : await this.transfers.find(environmentId, { id: request.id });
    // Answered whatever became of the exchange or the link since: the caller might take a refusal for one of the payout.
    if (earlier && isEqual(earlier, asked) && earlier.state !== 'mfa_required')
      return shownTransfer(await this.resume(environmentId, earlier));
    const open = await this.sessions.open(environmentId, userId, exchange);
    const account = (await asExchangeError(open.vendor.accounts(open.session))).find(({ id }) => id === accountId);
    if (!account) throw notFound();
    const planned = { ...asked, vendorAccount: account.reference, credentialId: open.session.credentialId };
    // A payout of everything may leave nothing to list: repetitions of it are still answered.
    const isHeld = account.balances.some(({ currency }) => currency === planned.currency);
    const written = isHeld ? await this.write(environmentId, planned) : null;
    if (written) return shownTransfer(await this.send(environmentId, written, open, mfaCode));
    const known = await this.known(environmentId, planned, isHeld);
    if (known.state !== 'mfa_required') return shownTransfer(await this.resume(environmentId, known));
    if (mfaCode === null) throw transferMfaRequired({ payload: { id: known.id } });
    return shownTransfer(await this.sendAgain(environmentId, known, open, mfaCode));
  }

  /** Null if its id is used or an equal payout is open: one statement decides between concurrent calls. */
  private write(environmentId: EnvironmentId, planned: Planned): Promise<ExchangeTransfer | null> {
    return this.work.run(async (tx) => {
      const row = await this.transfers.insertIfAbsent(environmentId, planned, tx);
      if (!row) return null;
      const draft = { event: EXCHANGE_TRANSFER_CREATED, resourceId: row.id, data: payloadOf(row), userId: row.userId };
      await this.outbox.append(environmentId, [draft], tx);
      return row;
    });
  }

  /** The payout from an earlier call. @throws transferIdUsed, invalidTransferCurrency, transferOpen */
  private async known(environmentId: EnvironmentId, planned: Planned, isHeld: boolean): Promise<ExchangeTransfer> {
    const { id, userId, exchange, accountId, amount, currency } = planned;
    const known = await this.transfers.find(environmentId, { id });
    if (known) {
      if (!isEqual(known, planned)) throw transferIdUsed();
      return known;
    }
    if (!isHeld) throw invalidTransferCurrency();
    const alike = { userId, exchange, accountId, amount, currency };
    const rows = await this.transfers.list(environmentId, alike, { orderBy: 'createdAt', descending: true, limit: 20 });
    const open = rows
      .filter((row) => isSameRecipient(row, planned))
      .find(({ state }) => state === 'sending' || state === 'unknown');
    throw transferOpen({ payload: { id: open?.id ?? null } });
  }

  /** What became of a payout that has had its last chance to be sent. Only an open one is looked up at the exchange. */
  private async resume(environmentId: EnvironmentId, row: ExchangeTransfer): Promise<ExchangeTransfer> {
    switch (row.state) {
      case 'sent':
      case 'not_sent':
      case 'mfa_required':
        return row;
      case 'refused':
        throw refusedError(row);
      case 'sending':
        if (this.clock.timestamp() - row.sentAt.getTime() < SENDING_MS) return row;
        return this.lookUp(environmentId, row);
      case 'unknown':
        return this.lookUp(environmentId, row);
    }
  }

  private async lookUp(environmentId: EnvironmentId, row: ExchangeTransfer): Promise<ExchangeTransfer> {
    const found = await asExchangeError(this.settlement.lookUp(environmentId, row));
    if (found.state === 'refused') throw refusedError(found);
    return found;
  }

  private async sendAgain(
    environmentId: EnvironmentId,
    row: ExchangeTransfer,
    open: OpenExchange,
    mfaCode: string,
  ): Promise<ExchangeTransfer> {
    const isOurs = await this.work
      .run((tx) => this.transfers.sendAgain(environmentId, row.id, tx))
      .catch((error: unknown) => {
        throw violatedConstraint(error) === ONE_OPEN ? transferOpen({ payload: { id: null } }) : error;
      });
    if (isOurs) return this.send(environmentId, row, open, mfaCode);
    return (await this.transfers.find(environmentId, { id: row.id })) ?? row;
  }

  /** Called only by the call that stored the row or won the right to send again. */
  private async send(
    environmentId: EnvironmentId,
    row: ExchangeTransfer,
    { vendor, session }: OpenExchange,
    mfaCode: string | null,
  ): Promise<ExchangeTransfer> {
    const { id, vendorAccount: account, recipient, amount, currency, network, description } = row;
    const payout = { id, account, recipient, amount, currency, network, description, mfaCode };
    try {
      return await this.settlement.settleNamed(environmentId, row, await vendor.send(session, payout));
    } catch (error) {
      return this.fail(environmentId, id, error);
    }
  }

  /** Reports a definite refusal; stores an uncertain outcome as `unknown`. */
  private async fail(environmentId: EnvironmentId, id: string, error: unknown): Promise<ExchangeTransfer> {
    if (error instanceof PayoutRefused) {
      const { refusal } = error;
      const asksForCode = refusal === 'mfa_required' || refusal === 'mfa_failed';
      await this.settlement.settle(environmentId, id, { state: asksForCode ? 'mfa_required' : 'refused', refusal });
      throw PAYOUT_ERRORS[refusal]({ payload: { id }, cause: error });
    }
    if (error instanceof VendorUnavailableError && wasNotTaken(error)) {
      await this.settlement.settle(environmentId, id, { state: 'refused', refusal: 'unavailable' });
      return asExchangeError(Promise.reject(error));
    }
    if (!(error instanceof VendorUnavailableError)) throw error;
    return this.settlement.settle(environmentId, id, { state: 'unknown' });
  }
}

const refusedError = ({ refusal }: ExchangeTransfer): Error =>
  refusal === null || refusal === 'unavailable' ? unknownTransferError() : PAYOUT_ERRORS[refusal]();

/** The call was never sent, or the vendor rejected it before processing it. */
const wasNotTaken = ({ wasSent, reason }: VendorUnavailableError): boolean =>
  !wasSent || reason === 'refused' || reason === 'rate_limited';

/** The intended amount is lost: JSON numbers are doubles here (RFC 8259 section 6). */
const LOST_DIGITS = { field: 'amount', message: `amount must not be greater than ${Number.MAX_SAFE_INTEGER}` };

/**
 * Trims what was copied along with the code. A code that does not fit in a header is not one an exchange issues, and
 * would leave a payout in doubt that was never sent.
 *
 * @throws transferMfaFailed
 */
function codeIn({ mfaCode }: CreateExchangeTransferRequest): string | null {
  if (mfaCode === undefined) return null;
  const code = mfaCode.trim();
  if (!/^[\x20-\x7e]+$/.test(code)) throw transferMfaFailed();
  return code;
}

/** @throws transferAmountTooSmall, invalidTransferNetwork */
function plan(
  request: CreateExchangeTransferRequest,
): Omit<Planned, 'userId' | 'exchange' | 'accountId' | 'vendorAccount' | 'credentialId'> {
  const { id = newId(), to, amount, description = null, networkObject } = request;
  if (amount <= 0) throw transferAmountTooSmall();
  if (amount > Number.MAX_SAFE_INTEGER) throw validationFailed({ payload: { fields: [LOST_DIGITS] } });
  const currency = request.currency.toUpperCase();
  const named = networkObject ? networkNamed(networkObject.chainName, networkObject.networkId) : null;
  if (networkObject && !named) throw invalidTransferNetwork();
  const network = request.network?.toLowerCase() ?? named?.name ?? null;
  if (named && network !== named.name) throw invalidTransferNetwork();
  return {
    id,
    recipient: to.trim(),
    amount: plainDecimal(amount),
    currency,
    network,
    description,
    state: 'sending',
  };
}

type Addressed = Pick<ExchangeTransfer, 'recipient'>;
const isSameRecipient = (one: Addressed, other: Addressed): boolean =>
  recipientKey(one.recipient) === recipientKey(other.recipient);

const SAME = ['userId', 'exchange', 'accountId', 'amount', 'currency', 'network'] as const;
const isEqual = (known: ExchangeTransfer, planned: Omit<Planned, 'vendorAccount' | 'credentialId'>): boolean =>
  isSameRecipient(known, planned) && SAME.every((name) => known[name] === planned[name]);
