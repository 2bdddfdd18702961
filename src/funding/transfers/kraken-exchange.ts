import { Injectable } from '@nestjs/common';
import { idOfName } from '../../common/ids.js';
import { VendorClient, VendorUnavailableError } from '../../networks/index.js';
import { amountIn, listIn, nameOf, recordOf, textOf } from '../vendor-refusal.js';
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
import { assetOf, isOnNetwork, symbolOf } from './kraken-assets.js';
import { KrakenKeys } from './kraken-keys.js';
import { krakenSignature } from './kraken-signature.js';
import { differenceOf, plainDecimal, sumOf } from './plain-decimal.js';
import { recipientKey } from './recipient.js';

const VENDOR = 'kraken';

/** https://docs.kraken.com/api/docs/guides/spot-errors: errors after which certainly nothing happened. */
const REFUSALS: readonly (readonly [RegExp, PayoutRefusal])[] = [
  [/otp|two.?factor|2fa/i, 'mfa_failed'],
  [/Insufficient funds/i, 'funds'],
  [/Amount too small|below.*minimum|Invalid amount/i, 'amount'],
  [/withdraw key|address/i, 'address'],
  [/Unknown asset/i, 'currency'],
  [/Unknown method|network/i, 'network'],
  [/Permission denied/i, 'scopes'],
];
/** Errors that leave the outcome open. */
const OPEN = /^EService:|Internal error|Deadline|Throttled/i;

/** One account per user, with all balances. A payout goes to an address that the user has registered there. */
@Injectable()
export class KrakenExchange extends ExchangeVendor {
  override readonly key = 'kraken';
  override readonly hasWhitelist = true;

  constructor(
    private readonly vendors: VendorClient,
    private readonly keys: KrakenKeys,
  ) {
    super();
  }

  override async accounts(session: ExchangeSession): Promise<VendorAccount[]> {
    const result = await this.call(session, 'BalanceEx', {});
    if (recordOf(result) !== result) throw new VendorUnavailableError(VENDOR, 'garbage');
    const balances = Object.entries(result).map(([asset, value]) => {
      const { balance, hold_trade: held } = recordOf(value);
      const total = amountIn(VENDOR, balance);
      return {
        currency: symbolOf(asset),
        balance: total,
        availableBalance: differenceOf(total, amountIn(VENDOR, held ?? 0)),
      };
    });
    const id = idOfName(`kraken ${session.credentialId}`);
    return [{ reference: 'spot', id, name: 'Kraken', type: 'spot', balances }];
  }

  override async transactions(session: ExchangeSession): Promise<VendorTransaction[]> {
    // Sequential: calls with one key must arrive in nonce order.
    const out = await this.call(session, 'WithdrawStatus', {});
    const into = await this.call(session, 'DepositStatus', {});
    return [
      ...listIn(VENDOR, out).map((one) => transactionOf(one, true)),
      ...listIn(VENDOR, into).map((one) => transactionOf(one, false)),
    ];
  }

  override async destinations(session: ExchangeSession): Promise<VendorDestination[]> {
    const known = await this.call(session, 'WithdrawAddresses', { verified: 'true' });
    return listIn(VENDOR, known).flatMap((one) => {
      const [address, asset, key, method] = ['address', 'asset', 'key', 'method'].map((name) => textOf(one[name]));
      if (!address || !asset || !key || one['verified'] === false) return [];
      const currency = symbolOf(asset);
      return [{ address, tokens: [currency], key, currency, method: method ?? '', memo: memoOf(one) }];
    });
  }

  override async currenciesOn(session: ExchangeSession, network: string): Promise<ReadonlySet<string>> {
    const methods = listIn(VENDOR, await this.call(session, 'WithdrawMethods', {}));
    const on = methods.filter(({ method, network: name }) => isOnNetwork(String(name ?? method), network));
    return new Set(on.map(({ asset }) => symbolOf(String(asset))));
  }

  override async send(session: ExchangeSession, payout: Payout): Promise<SentPayout> {
    const { recipient, amount, currency, network, mfaCode } = payout;
    const ofRecipient = (await beforeSending(this.destinations(session))).filter(
      ({ address }) => recipientKey(address) === recipientKey(recipient),
    );
    const ofCurrency = ofRecipient.filter((one) => one.currency === currency);
    if (ofRecipient.length === 0) throw new PayoutRefused(VENDOR, 'address');
    if (ofCurrency.length === 0) throw new PayoutRefused(VENDOR, 'currency');
    const ways = ofCurrency.filter(({ method }) => network === null || isOnNetwork(method, network));
    const [to] = ways;
    // The user may have registered the same way twice. With different ones, choosing wrongly would lose the money.
    const isOther = ({ method, memo }: VendorDestination): boolean => method !== to?.method || memo !== to.memo;
    if (!to || ways.some(isOther)) throw new PayoutRefused(VENDOR, 'network');
    const call = {
      asset: assetOf(currency),
      key: to.key,
      amount,
      // As registered: Kraken refuses an address that differs from that of the key.
      address: to.address,
      ...(mfaCode && { otp: mfaCode }),
    };
    const reference = nameOf(recordOf(await this.call(session, 'Withdraw', call))['refid']);
    if (!reference) throw new VendorUnavailableError(VENDOR, 'garbage');
    return { reference, status: 'pending' };
  }

  /** A call rejected for its nonce or key was not processed, and is retried once. */
  private call(session: ExchangeSession, method: string, parameters: Record<string, string>): Promise<unknown> {
    return this.callOnce(session, method, parameters).catch((error: unknown) => {
      if (!(error instanceof TurnedAway)) throw error;
      return this.callOnce(session, method, parameters, error.why === 'key').catch((again: unknown) => {
        throw again instanceof TurnedAway ? endOf(again) : again;
      });
    });
  }

  /** The status is 200 whatever the result. */
  private async callOnce(
    session: ExchangeSession,
    method: string,
    parameters: Record<string, string>,
    withNewKey = false,
  ): Promise<unknown> {
    const key = await this.keys.of(session, withNewKey);
    const nonce = this.keys.nonce();
    const path = `/0/private/${method}`;
    const body = new URLSearchParams({ nonce, ...parameters }).toString();
    const headers = {
      'api-key': key.id,
      'api-sign': krakenSignature(key.secret, path, nonce, body),
      'content-type': 'application/x-www-form-urlencoded',
    };
    const code = parameters['otp'] ? 'with code' : 'without code';
    const payout = method === 'Withdraw' ? code : null;
    const shared = payout ? null : `${session.credentialId} ${JSON.stringify(parameters)}`;
    const question = {
      vendor: VENDOR,
      urls: [`${this.keys.api}${path}`],
      method: 'POST' as const,
      headers,
      body,
      key: shared,
    };
    return this.vendors.json(question, (value) => resultOf(recordOf(value), payout));
  }
}

/** Calls for one user overtook each other, or the API key made for the user has expired. Nothing was done. */
class TurnedAway extends Error {
  override readonly name = 'TurnedAway';

  constructor(readonly why: 'nonce' | 'key') {
    super(`${VENDOR} turned a call away: ${why}`);
  }
}

const endOf = (turned: TurnedAway): Error =>
  turned.why === 'key'
    ? new PayoutRefused(VENDOR, 'scopes')
    : new VendorUnavailableError(VENDOR, 'rate_limited', { wasSent: false, cause: turned });

/** What tells the recipients at one address apart, such as on XRP Ledger (`tag`) and Stellar (`memo`). */
const memoOf = (one: Readonly<Record<string, unknown>>): string =>
  JSON.stringify([one['tag'] ?? null, one['memo'] ?? null]);

/** While the destinations cannot be read, nothing has been sent. */
const beforeSending = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    if (!(error instanceof VendorUnavailableError)) throw error;
    throw new VendorUnavailableError(error.vendor, error.reason, { wasSent: false, cause: error });
  });

/** Entries starting with W are warnings. A payout that gets a reference was accepted, whatever the entries say. */
function resultOf(
  { error, result }: Readonly<Record<string, unknown>>,
  payout: 'with code' | 'without code' | null,
): unknown {
  if (payout && recordOf(result)['refid']) return result;
  const entries = Array.isArray(error) ? (error as unknown[]).map(String) : ['EService:none'];
  const first = entries.find((entry) => !entry.startsWith('W'));
  if (first === undefined) return result;
  if (/Rate limit/i.test(first)) throw new VendorUnavailableError(VENDOR, 'rate_limited');
  if (/^EAPI:Invalid nonce/i.test(first)) throw new TurnedAway('nonce');
  if (/^EAPI:Invalid key/i.test(first)) throw new TurnedAway('key');
  if (OPEN.test(first)) throw new VendorUnavailableError(VENDOR, 'unreachable');
  const [, refusal] = REFUSALS.find(([words]) => words.test(first)) ?? [null, 'other' as const];
  throw new PayoutRefused(VENDOR, refusal === 'mfa_failed' && payout === 'without code' ? 'mfa_required' : refusal);
}

/** https://docs.kraken.com/api/docs/rest-api/get-status-recent-withdrawals: also for a cancelled one. */
const FAILED = 'Failure';

function transactionOf(one: Readonly<Record<string, unknown>>, isPayout: boolean): VendorTransaction {
  const reference = nameOf(one['refid']);
  const createdAt = new Date(amountIn(VENDOR, one['time']) * 1_000);
  if (!reference || Number.isNaN(createdAt.getTime())) throw new VendorUnavailableError(VENDOR, 'garbage');
  const [hash, status] = [textOf(one['txid']), nameOf(one['status'])];
  return {
    reference,
    ...(hash && { hash }),
    ...(status && { status }),
    ...(status === FAILED && { hasFailed: true }),
    amount: amountIn(VENDOR, one['amount']) * (isPayout ? -1 : 1),
    currency: symbolOf(String(one['asset'])),
    createdAt,
    idempotencyKey: null,
    recipient: isPayout ? textOf(one['info']) : null,
    ...(isPayout && { asked: askedFor(one) }),
  };
}

/** The list shows the amount that arrives, and the fee separately; a payout request includes the fee. */
function askedFor({ amount, fee }: Readonly<Record<string, unknown>>): string[] {
  const [arrived, kept] = [amount, fee ?? '0'].map((one) =>
    typeof one === 'number' ? plainDecimal(one) : String(one),
  );
  return [sumOf([arrived!, kept!]), sumOf([arrived!])].filter((sum) => sum !== null);
}
