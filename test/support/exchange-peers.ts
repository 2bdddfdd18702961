import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import { idOfName } from '../../src/common/ids.js';
import { newEmail } from './world.js';
import type { VendorCall } from './vendor-server.js';

export type PeerReply = { status?: number; json: unknown } | 'cut' | 'silence';

/**
 * How an exchange handles the next payouts; `takes-and-…`: it accepts the payout, but the connection breaks or hangs,
 * or the response says more, or names it otherwise.
 */
export type PayoutMood =
  | 'well'
  | 'takes-and-dies'
  | 'takes-and-waits'
  | 'takes-and-garbles'
  | 'takes-and-rambles'
  | 'dies-before'
  | 'asks-for-code'
  | 'no-funds'
  | 'too-small'
  | 'odd'
  | 'oddly-named'
  | 'fails'
  | 'busy'
  | 'no-scope'
  | 'takes-and-warns'
  | 'takes-and-complains'
  | 'takes-and-numbers';

interface Sent {
  holder: string;
  id: string;
  idem: string | null;
  to: string;
  amount: string;
  currency: string;
  at: number;
}

/** The code accepted by the test exchanges. */
export const RIGHT_CODE = '123456';
export const KRAKEN_ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

const bearer = ({ headers }: VendorCall): string => (headers.authorization ?? '').replace('Bearer ', '');
const refusal = (status: number, id: string, message: string): PeerReply => ({
  status,
  json: { errors: [{ id, message }] },
});

/** Coinbase (https://docs.cdp.coinbase.com/coinbase-app); each token belongs to a person with two accounts. */
export class CoinbasePeer {
  mood: PayoutMood = 'well';
  readonly sent: Sent[] = [];
  /** Whether it returns the key that a payout was sent with. */
  tellsKeys = true;
  /** The link to the next page of accounts; null on the last page. */
  nextAccounts: string | null = null;
  /** The link that the last page has to a next one. */
  nextOfLast: string | null = null;
  /** The reported balance. */
  held: unknown = '2.5';

  answer(call: VendorCall, method: string): PeerReply {
    const holder = bearer(call);
    if (holder === '' || holder === 'revoked') return refusal(401, 'revoked_token', 'The access token was revoked');
    const [, , , , account] = call.path.split('/');
    if (!account)
      return this.mood === 'no-scope' ? refusal(403, 'invalid_scope', 'Invalid scope') : this.accounts(holder, call);
    if (method === 'GET') return this.transactions(holder, account);
    return this.send(call, holder, account);
  }

  accountOf(holder: string): string {
    return idOfName(`coinbase account ${holder}`);
  }

  private accounts(holder: string, { query }: VendorCall): PeerReply {
    if (query.has('starting_after')) {
      const more = { id: 'SOL', name: 'SOL Wallet', type: 'wallet', balance: { amount: '7', currency: 'SOL' } };
      return { json: { pagination: { next_uri: this.nextOfLast }, data: [more] } };
    }
    const data = [
      {
        id: this.accountOf(holder),
        name: 'ETH Wallet',
        type: 'wallet',
        balance: { amount: this.held, currency: 'ETH' },
      },
      { id: 'BTC', name: 'BTC Wallet', type: 'wallet', balance: { amount: '0.1', currency: 'BTC' } },
    ];
    return { json: { pagination: { next_uri: this.nextAccounts }, data } };
  }

  private transactions(holder: string, account: string): PeerReply {
    const currency = account === 'BTC' ? 'BTC' : 'ETH';
    const own = this.sent.filter((one) => one.holder === holder && one.currency === currency);
    const data = own.map(({ id, idem, to, amount, at }) => ({
      id,
      type: 'send',
      status: 'completed',
      amount: { amount: `-${amount}`, currency },
      created_at: new Date(at).toISOString(),
      network: { status: 'confirmed', hash: `0x${createHash('sha256').update(id).digest('hex')}` },
      to: { resource: 'address', address: to },
      ...(this.tellsKeys && { idem }),
    }));
    const bought = { id: `buy-${account}`, type: 'buy', status: 'completed', amount: { amount: '1', currency } };
    return { json: { data: [...data, { ...bought, created_at: '2026-01-02T03:04:05Z' }] } };
  }

  private send({ body, headers }: VendorCall, holder: string, account: string): PeerReply {
    const { to, amount, currency, idem } = JSON.parse(body) as Record<string, string>;
    const code = headers['cb-2fa-token'];
    if (this.mood === 'dies-before') return 'cut';
    if (this.mood === 'fails') return { status: 500, json: {} };
    if (this.mood === 'busy') return { status: 429, json: {} };
    if (this.mood === 'no-funds') return refusal(400, 'validation_error', 'You do not have enough funds');
    if (this.mood === 'too-small') return refusal(400, 'validation_error', 'Amount is below the minimum');
    if (this.mood === 'odd') return refusal(400, 'something_new', 'Mercury is in retrograde');
    if (this.mood === 'oddly-named') return refusal(400, 'constructor', 'A name that every object has');
    if (this.mood === 'asks-for-code' && code !== RIGHT_CODE)
      return refusal(402, 'two_factor_required', 'Two-step verification code required to complete this request');
    const id = randomUUID();
    this.sent.push({ holder, id, idem: idem ?? null, to: to!, amount: amount!, currency: currency!, at: Date.now() });
    if (this.mood === 'takes-and-dies') return 'cut';
    if (this.mood === 'takes-and-waits') return 'silence';
    if (this.mood === 'takes-and-garbles') return { status: 201, json: { data: { id: '\0', status: 'pending' } } };
    if (this.mood === 'takes-and-rambles')
      return { status: 201, json: { data: { id: randomBytes(5_000).toString('hex') } } };
    return { status: 201, json: { data: { id, type: 'send', status: 'pending', resource: 'transaction', account } } };
  }
}

/** Kraken: keys are created with a token (docs.kraken.com, "Fast API keys"), and sign each call. */
export class KrakenPeer {
  mood: PayoutMood = 'well';
  readonly sent: Sent[] = [];
  readonly keys = new Map<string, { holder: string; secret: string; nonce: number }>();
  /** How many of the next calls are told that a later nonce was used before. */
  overtaken = 0;
  /** The fee it deducts: the listed amount is what arrives, with the fee beside it. */
  fee = '0.0005';
  /** The fee it lists for a payout. */
  listedFee: string | null = null;
  /** Names of failed payouts. */
  readonly failed = new Set<string>();
  /** Further withdrawal methods for registered addresses. */
  alsoTo: { address: string; asset: string; method: string; key: string; verified: boolean; tag?: string }[] = [];
  /** Error texts added to each response. */
  remarks: string[] = [];
  /** What it answers in place of results, by method. */
  instead: Readonly<Record<string, unknown>> = {};
  /** The withdrawal methods that payouts requested. */
  readonly ways: string[] = [];

  answer(call: VendorCall): PeerReply {
    const path = call.path.replace('/kraken', '');
    if (path === '/oauth/fast-api-key') return this.makeKey(bearer(call));
    const known = this.keys.get(String(call.headers['api-key']));
    if (!known) return { json: { error: ['EAPI:Invalid key'] } };
    const form = new URLSearchParams(call.body);
    const nonce = form.get('nonce') ?? '';
    const digest = createHash('sha256').update(`${nonce}${call.body}`).digest();
    const sign = createHmac('sha512', Buffer.from(known.secret, 'base64')).update(path).update(digest).digest('base64');
    if (sign !== call.headers['api-sign']) return { json: { error: ['EAPI:Invalid signature'] } };
    if (this.overtaken > 0) {
      this.overtaken -= 1;
      return { json: { error: ['EAPI:Invalid nonce'] } };
    }
    if (Number(nonce) <= known.nonce) return { json: { error: ['EAPI:Invalid nonce'] } };
    known.nonce = Number(nonce);
    const reply = this.result(path.split('/').at(-1)!, form, known.holder);
    if (typeof reply === 'string' || this.remarks.length === 0) return reply;
    const json = reply.json as { error: string[] };
    return { ...reply, json: { ...json, error: [...this.remarks, ...json.error] } };
  }

  private makeKey(holder: string): PeerReply {
    if (holder === '' || holder === 'revoked') return { status: 401, json: {} };
    if (this.mood === 'no-scope') return { status: 403, json: {} };
    const [id, secret] = [randomBytes(8).toString('hex'), randomBytes(64).toString('base64')];
    this.keys.set(id, { holder, secret, nonce: 0 });
    return { json: { result: { api_key: id, secret, api_key_name: newEmail() } } };
  }

  private result(method: string, form: URLSearchParams, holder: string): PeerReply {
    if (method in this.instead) return ok(this.instead[method]);
    switch (method) {
      case 'BalanceEx':
        return ok({ XXBT: { balance: '0.5', hold_trade: '0.1' }, XETH: { balance: '3.0' }, ZUSD: { balance: '10.0' } });
      case 'WithdrawAddresses':
        return ok([
          { address: KRAKEN_ADDRESS, asset: 'XETH', method: 'Ethereum', key: 'mine', verified: true },
          { address: 'bc1qtest', asset: 'XXBT', method: 'Bitcoin', key: 'btc', verified: true },
          { address: '0xnew', asset: 'XETH', method: 'Ethereum', key: 'new', verified: false },
          ...this.alsoTo,
        ]);
      case 'WithdrawMethods':
        return ok([
          { asset: 'XETH', method: 'Ether', network: 'Ethereum' },
          { asset: 'XXBT', method: 'Bitcoin', network: 'Bitcoin' },
        ]);
      case 'WithdrawStatus':
        return ok(
          this.sent
            .filter((one) => one.holder === holder)
            .map(({ id, to, amount, at }) => ({
              refid: id,
              asset: 'XETH',
              info: to,
              amount: (Number(amount) - Number(this.fee)).toFixed(10),
              fee: Number(this.listedFee ?? this.fee).toFixed(10),
              time: at / 1_000,
              ...(this.failed.has(id) ? { status: 'Failure', 'status-prop': 'canceled' } : { status: 'Pending' }),
            })),
        );
      case 'DepositStatus':
        return ok([
          { refid: 'D-1', txid: '0xabc', asset: 'XETH', amount: '1.0', time: 1_700_000_000, status: 'Success' },
        ]);
      case 'Withdraw':
        return this.withdraw(form, holder);
      default:
        return { json: { error: ['EGeneral:Unknown method'] } };
    }
  }

  private withdraw(form: URLSearchParams, holder: string): PeerReply {
    const failed = (error: string): PeerReply => ({ json: { error: [error] } });
    if (this.mood === 'no-funds') return failed('EFunding:Insufficient funds');
    if (this.mood === 'fails') return failed('EService:Unavailable');
    if (this.mood === 'busy') return failed('EAPI:Rate limit exceeded');
    if (this.mood === 'odd') return failed('EFunding:Something new');
    if (this.mood === 'asks-for-code' && form.get('otp') !== RIGHT_CODE) return failed('EAPI:Invalid otp');
    const id = `R-${randomBytes(6).toString('hex')}`;
    const [to, amount] = [form.get('address')!, form.get('amount')!];
    if (![KRAKEN_ADDRESS, ...this.alsoTo.map(({ address }) => address)].includes(to))
      return failed('EFunding:Invalid withdrawal address');
    this.sent.push({ holder, id, idem: null, to, amount, currency: 'ETH', at: Date.now() });
    this.ways.push(form.get('key')!);
    if (this.mood === 'takes-and-dies') return 'cut';
    const refid = this.mood === 'takes-and-numbers' ? this.sent.length : id;
    return { json: { error: REMARKS[this.mood] ?? [], result: { refid } } };
  }
}

/** https://docs.kraken.com/api/docs/guides/spot-errors: the first letter is the severity. */
const REMARKS: Partial<Record<PayoutMood, string[]>> = {
  'takes-and-warns': ['WFunding:Delays on this network'],
  'takes-and-complains': ['EFunding:Something new'],
  'takes-and-numbers': ['EFunding:Something new'],
};
const ok = (result: unknown): PeerReply => ({ json: { error: [], result } });
