import { Injectable } from '@nestjs/common';
import { idOfName, isUuid } from '../../common/ids.js';
import { VendorClient, VendorUnavailableError, type VendorQuestion } from '../../networks/index.js';
import { ProviderAddresses } from '../../providers/index.js';
import { amountIn, bodyOf, isUndecided, listIn, listOf, nameOf, recordOf, textOf } from '../vendor-refusal.js';
import {
  ExchangeVendor,
  PayoutRefused,
  type ExchangeSession,
  type Payout,
  type PayoutRefusal,
  type SentPayout,
  type VendorAccount,
  type VendorDestination,
  type VendorTransaction,
} from './exchange-vendor.js';

const VENDOR = 'coinbase-accounts';
const API = 'https://api.coinbase.com';
/** https://docs.cdp.coinbase.com/exchange/reference/exchangerestapi_getcurrencies: needs no authentication. */
const CURRENCIES = 'https://api.exchange.coinbase.com/currencies';
const CURRENCIES_KEPT_MS = 600_000;
const PAGE = 100;
/** Transactions are read from this many accounts at most. */
const MAX_ACCOUNTS = 10;
/** Pages of accounts: there is one account per coin, and hundreds of coins. */
const MOST_PAGES = 10;
/** https://docs.cdp.coinbase.com/coinbase-app/api-architecture/error-messages */
const REFUSALS: ReadonlyMap<unknown, PayoutRefusal> = new Map([
  ['two_factor_required', 'mfa_required'],
  ['invalid_scope', 'scopes'],
  ['unverified_email', 'other'],
]);

/** https://docs.cdp.coinbase.com/coinbase-app/transfer-apis/transactions: final states in which nothing was moved. */
const MOVED_NOTHING: ReadonlySet<string | null> = new Set(['failed', 'canceled', 'expired']);

type Answer = Readonly<Record<string, unknown>>;

/** https://docs.cdp.coinbase.com/coinbase-app/oauth2-integration/available-apis */
@Injectable()
export class CoinbaseExchange extends ExchangeVendor {
  override readonly key = 'coinbase';
  override readonly hasWhitelist = false;

  constructor(
    private readonly vendors: VendorClient,
    private readonly addresses: ProviderAddresses,
  ) {
    super();
  }

  override async accounts(session: ExchangeSession): Promise<VendorAccount[]> {
    const accounts: VendorAccount[] = [];
    const until = this.vendors.deadline();
    const asked = new Set<string>();
    let next: string | null = `/v2/accounts?limit=${PAGE}`;
    // A page that names one before it, or itself, as the next is the last.
    while (next !== null && !asked.has(next) && asked.size < MOST_PAGES) {
      asked.add(next);
      const read: AccountPage = await this.get(session, next, pageOf(session), until);
      accounts.push(...read.accounts);
      next = read.next;
    }
    return accounts;
  }

  override async transactions(
    session: ExchangeSession,
    accounts: readonly VendorAccount[],
  ): Promise<VendorTransaction[]> {
    const paths = accounts
      .slice(0, MAX_ACCOUNTS)
      .map(({ reference }) => `/v2/accounts/${encodeURIComponent(reference)}`);
    const read = (path: string) =>
      this.get(session, `${path}/transactions?limit=${PAGE}`, (data) => data.map(transactionOf));
    return (await Promise.all(paths.map(read))).flat();
  }

  /** The vendor offers applications no list of addresses. */
  override async destinations(): Promise<VendorDestination[]> {
    return [];
  }

  override currenciesOn(_session: ExchangeSession, network: string): Promise<ReadonlySet<string>> {
    const url = this.addresses.of('coinbaseCurrencies').api ?? CURRENCIES;
    const question = { vendor: 'coinbase-currencies', urls: [url], keptMs: CURRENCIES_KEPT_MS };
    return this.vendors.json(question, (value) => {
      const all = listIn('coinbase-currencies', value);
      if (all.length === 0) throw new VendorUnavailableError('coinbase-currencies', 'garbage');
      const moved = all.filter((one) => listOf(one['supported_networks']).some(({ id }) => id === network));
      return new Set(moved.map(({ id }) => String(id)));
    });
  }

  override send(session: ExchangeSession, payout: Payout): Promise<SentPayout> {
    const { id, account, recipient, amount, currency, network, description, mfaCode } = payout;
    const body = JSON.stringify({
      type: 'send',
      to: recipient,
      amount,
      currency,
      idem: id,
      ...(network && { network }),
      ...(description && { description }),
    });
    const headers: Record<string, string> = mfaCode ? { 'CB-2FA-TOKEN': mfaCode } : {};
    const question: Pick<VendorQuestion, 'method' | 'body' | 'key' | 'refusal'> = {
      method: 'POST',
      body,
      key: null,
      refusal: (status, text) => payoutRefusal(status, text, mfaCode !== null),
    };
    return this.call(
      session,
      `/v2/accounts/${encodeURIComponent(account)}/transactions`,
      { ...question, headers },
      (answer) => {
        const sent = recordOf(answer['data']);
        const [reference, status] = [nameOf(sent['id']), nameOf(sent['status'])];
        if (!reference) throw new VendorUnavailableError(VENDOR, 'garbage');
        if (MOVED_NOTHING.has(status)) throw new PayoutRefused(VENDOR, 'other');
        return { reference, status: status ?? 'pending' };
      },
    );
  }

  private get<T>(
    session: ExchangeSession,
    path: string,
    read: (data: Answer[], answer: Answer) => T,
    until = this.vendors.deadline(),
  ): Promise<T> {
    const question = { key: session.credentialId, refusal: readingRefusal, until };
    return this.call(session, path, question, (answer) => {
      if (!Array.isArray(answer['data'])) throw new VendorUnavailableError(VENDOR, 'garbage');
      return read(listOf(answer['data']), answer);
    });
  }

  private call<T>(
    { accessToken }: ExchangeSession,
    path: string,
    { headers, ...question }: Omit<VendorQuestion, 'vendor' | 'urls'>,
    read: (answer: Answer) => T,
  ): Promise<T> {
    const urls = [`${this.addresses.of('coinbasesocial').api ?? API}${path}`];
    const sent = { ...headers, authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
    return this.vendors.json({ vendor: VENDOR, urls, headers: sent, ...question }, (value) => read(recordOf(value)));
  }
}

interface AccountPage {
  accounts: VendorAccount[];
  next: string | null;
}

const pageOf =
  (session: ExchangeSession) =>
  (data: readonly Answer[], answer: Answer): AccountPage => ({
    accounts: data.map((one) => accountOf(session, one)),
    next: nextOf(answer),
  });

/** https://docs.cdp.coinbase.com/coinbase-app/api-architecture/pagination: a path; hosts must not get the token. */
function nextOf(answer: Answer): string | null {
  const next = textOf(recordOf(answer['pagination'])['next_uri']);
  if (next === null) return null;
  if (!/^\/v2\/accounts\?[\w=&.%-]{1,300}$/.test(next)) throw new VendorUnavailableError(VENDOR, 'garbage');
  return next;
}

const readingRefusal = (status: number, text: string): Error | null =>
  status === 403 || firstErrorOf(text) === 'invalid_scope' ? new PayoutRefused(VENDOR, 'scopes') : null;

const firstErrorOf = (text: string): string => textOf(listOf(bodyOf(text)['errors'])[0]?.['id']) ?? '';

function payoutRefusal(status: number, text: string, hasCode: boolean): Error {
  if (isUndecided(status)) return new VendorUnavailableError(VENDOR, 'garbage');
  const [first] = listOf(bodyOf(text)['errors']);
  const known = REFUSALS.get(first?.['id']) ?? byMessage(textOf(first?.['message']) ?? '');
  // The vendor reports a rejected code in the same way as a missing one.
  if ((known === 'mfa_required' || status === 402) && hasCode) return new PayoutRefused(VENDOR, 'mfa_failed');
  if (status === 402) return new PayoutRefused(VENDOR, 'mfa_required');
  return new PayoutRefused(VENDOR, status === 403 && known === 'other' ? 'scopes' : known);
}

/** `validation_error` and `invalid_request` give the reason only in the message. */
function byMessage(message: string): PayoutRefusal {
  if (/funds|balance/i.test(message)) return 'funds';
  if (/minimum|too small|amount/i.test(message)) return 'amount';
  if (/allow ?list|whitelist/i.test(message)) return 'address';
  if (/network/i.test(message)) return 'network';
  if (/currency/i.test(message)) return 'currency';
  return 'other';
}

const nameBasedId = (credentialId: string, reference: string): string =>
  idOfName(`${VENDOR} ${credentialId} ${reference}`);

function accountOf({ credentialId }: ExchangeSession, one: Answer): VendorAccount {
  const reference = nameOf(one['id']);
  const { amount, currency } = recordOf(one['balance']);
  if (!reference || !textOf(currency)) throw new VendorUnavailableError(VENDOR, 'garbage');
  const [name, type] = [textOf(one['name']), textOf(one['type'])];
  // Newer accounts have a UUID; older ones are identified by their currency.
  const id = isUuid(reference) ? reference : nameBasedId(credentialId, reference);
  return {
    reference,
    id,
    ...(name && { name }),
    ...(type && { type }),
    balances: [{ currency: String(currency), balance: amountIn(VENDOR, amount) }],
  };
}

/** A malformed transaction is not skipped: a payout missing from the list would be taken for one never sent. */
function transactionOf(one: Answer): VendorTransaction {
  const reference = nameOf(one['id']);
  const { amount, currency } = recordOf(one['amount']);
  const createdAt = new Date(String(one['created_at']));
  if (!reference || Number.isNaN(createdAt.getTime())) throw new VendorUnavailableError(VENDOR, 'garbage');
  const hash = textOf(recordOf(one['network'])['hash']);
  const status = nameOf(one['status']);
  return {
    reference,
    ...(hash && { hash }),
    ...(status && { status }),
    ...(MOVED_NOTHING.has(status) && { hasFailed: true }),
    amount: amountIn(VENDOR, amount),
    currency: String(currency),
    createdAt,
    idempotencyKey: textOf(one['idem']),
    recipient: one['type'] === 'send' ? textOf(recordOf(one['to'])['address']) : null,
  };
}
