import { createHmac, createPublicKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { jwtVerify } from 'jose';
import { CoinbasePeer, KrakenPeer, type PeerReply } from './exchange-peers.js';
import type { VendorCall } from './vendor-server.js';

const EDWARDS = generateKeyPairSync('ed25519');
const { d, x } = EDWARDS.privateKey.export({ format: 'jwk' });

/** Test keys of an environment at the vendors. */
export const RAMP_KEYS = {
  coinbaseOnramp: {
    clientId: 'organizations/o-1/apiKeys/k-1',
    clientSecret: Buffer.concat([Buffer.from(d!, 'base64url'), Buffer.from(x!, 'base64url')]).toString('base64'),
  },
  banxa: { clientId: 'acme@key', clientSecret: 'banxa-secret', domain: 'acme.banxa.example' },
  cryptoDotCom: { clientSecret: 'sk_test_secret', returnUrl: 'https://app.example/done' },
} as const;

/** Ramp and exchange vendors on loopback, following their public documentation. */
export class MoneyVendors {
  readonly calls: VendorCall[] = [];
  readonly coinbase = new CoinbasePeer();
  readonly kraken = new KrakenPeer();
  /** Onramp sessions by token, with their parameters. */
  readonly sessions = new Map<string, { addresses: unknown; clientIp?: string }>();
  /** Orders by idempotency key. */
  readonly orders = new Map<string, Record<string, unknown>>();
  readonly payments = new Map<string, Record<string, unknown>>();
  /** Moods of ramps, by the first path segment. */
  readonly moods = new Map<
    string,
    'down' | 'silent' | 'garbage' | 'refuses' | 'takes-and-dies' | 'takes-and-hesitates' | 'sends-away'
  >();

  /** What ramps say otherwise than their documentation, in an order or payment and in its link. */
  readonly said: { order?: object; link?: object; payment?: object } = {};
  /** JSON text that is sent for the text `raw`. */
  raw = '"raw"';

  private constructor(
    readonly origin: string,
    readonly close: () => Promise<void>,
  ) {}

  static async start(): Promise<MoneyVendors> {
    const server = createServer((request, response) => void vendors.serve(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.unref();
    const vendors = new MoneyVendors(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    return vendors;
  }

  /** For `PROVIDER_ADDRESSES`. */
  get addresses(): Record<string, Record<string, string>> {
    const at = (name: string) => ({ api: `${this.origin}/${name}` });
    return {
      coinbasesocial: at('coinbase'),
      coinbaseCurrencies: at('currencies'),
      kraken: at('kraken'),
      coinbaseOnramp: { ...at('onramp'), authorize: 'https://pay.coinbase.example' },
      banxa: { ...at('banxa'), authorize: 'https://acme.banxa.example' },
      cryptoDotCom: at('cdc'),
    };
  }

  count(path: string): number {
    return this.calls.filter((call) => call.path === path).length;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    const call = { path: url.pathname, query: url.searchParams, headers: request.headers, body: await text(request) };
    this.calls.push(call);
    const name = call.path.split('/')[1] ?? '';
    const mood = this.moods.get(name);
    if (mood === 'silent') return;
    if (mood === 'garbage') return void response.end('{"data":');
    if (mood === 'sends-away') return void response.writeHead(307, { location: `${this.origin}/elsewhere` }).end();
    const reply = mood === 'down' ? 'cut' : await this.reply(name, call, request.method ?? 'GET');
    if (reply === 'silence') return;
    if (reply === 'cut' || mood === 'takes-and-dies') return void request.socket.destroy();
    // It has accepted the request, but reports a timeout.
    const status = mood === 'takes-and-hesitates' ? 408 : (reply.status ?? 200);
    response.writeHead(status, { 'content-type': 'application/json', 'x-ratelimit-remaining': '41' });
    response.end(JSON.stringify(reply.json).replace('"raw"', () => this.raw));
  }

  private async reply(name: string, call: VendorCall, method: string): Promise<PeerReply> {
    switch (name) {
      case 'coinbase':
        return this.coinbase.answer(call, method);
      case 'kraken':
        return this.kraken.answer(call);
      case 'currencies':
        return {
          json: [
            { id: 'ETH', supported_networks: [{ id: 'ethereum' }, { id: 'base' }] },
            { id: 'BTC', supported_networks: [{ id: 'bitcoin' }] },
          ],
        };
      case 'onramp':
        return this.onramp(call, method);
      case 'banxa':
        return banxa(call, method);
      case 'cdc':
        return this.payment(call, method);
      default:
        return { status: 404, json: {} };
    }
  }

  private async onramp(call: VendorCall, method: string): Promise<PeerReply> {
    const token = (call.headers.authorization ?? '').replace('Bearer ', '');
    const { clientId: keyId } = RAMP_KEYS.coinbaseOnramp;
    const proof = await jwtVerify(token, createPublicKey(EDWARDS.privateKey), { issuer: 'cdp', subject: keyId }).catch(
      () => null,
    );
    const [uri] = (proof?.payload['uris'] ?? []) as string[];
    if (uri !== `${method} ${new URL(this.origin).host}${call.path}`) return { status: 401, json: {} };
    if (this.moods.get('onramp') === 'refuses')
      return { status: 400, json: { errorType: 'guest_transaction_limit', errorMessage: 'over the weekly limit' } };
    if (call.path === '/onramp/buy/options') {
      const networks = ['ethereum', 'base', 'base'].map((network) => ({ name: network, display_name: network }));
      return { json: { payment_currencies: [], purchase_currencies: [{ id: 'ETH', networks }] } };
    }
    const body = JSON.parse(call.body) as Record<string, unknown>;
    if (call.path === '/onramp/token') {
      const session = randomUUID();
      this.sessions.set(session, body as { addresses: unknown });
      return { json: { token: session, channel_id: '' } };
    }
    const key = (call.headers['x-idempotency-key'] as string | undefined) ?? randomUUID();
    const order = this.orders.get(key) ?? { ...body, ...ORDER, orderId: randomUUID() };
    this.orders.set(key, order);
    const link = {
      url: 'https://pay.coinbase.example/v2/api-onramp/apple-pay?sessionToken=t',
      paymentLinkType: 'PAYMENT_LINK_TYPE_APPLE_PAY_BUTTON',
      ...this.said.link,
    };
    const said = { ...order, ...this.said.order };
    return { status: 201, json: { order: said, ...(!body['isQuote'] && { paymentLink: link }) } };
  }

  private payment(call: VendorCall, method: string): PeerReply {
    const basic = `Basic ${Buffer.from(`${RAMP_KEYS.cryptoDotCom.clientSecret}:`).toString('base64')}`;
    if (call.headers.authorization !== basic) return { status: 401, json: { error: { type: 'unauthorized' } } };
    if (this.moods.get('cdc') === 'refuses')
      return { status: 400, json: { error: { type: 'invalid_request_error', code: 'currency_not_supported' } } };
    if (method === 'GET') {
      const known = this.payments.get(call.path.split('/').at(-1)!);
      return known ? { json: known } : { status: 404, json: {} };
    }
    const asked = JSON.parse(call.body) as { currency?: unknown };
    if (!asked.currency)
      return { status: 400, json: { error: { type: 'invalid_request_error', code: 'parameter_missing' } } };
    const id = randomUUID();
    const payment = {
      ...asked,
      ...{ id, status: 'pending', qr_code: 'qr', created: 1_700_000_000, live_mode: false, refunded: false },
      payment_url: `https://js.crypto.example/sdk/payments/checkout?id=${id}`,
    };
    this.payments.set(id, payment);
    return { json: { ...payment, ...this.said.payment } };
  }
}

const ORDER = {
  paymentTotal: '100.00',
  paymentSubtotal: '97.50',
  purchaseAmount: '0.03',
  fees: [{ type: 'FEE_TYPE_EXCHANGE', amount: '2.50', currency: 'USD' }],
  exchangeRate: '0.0003',
  status: 'ONRAMP_ORDER_STATUS_PENDING_PAYMENT',
  createdAt: '2026-11-20T12:00:00Z',
  updatedAt: '2026-11-20T12:00:00Z',
};

function banxa({ path, headers }: VendorCall, method: string): PeerReply {
  const [key, signature, nonce] = (headers.authorization ?? '').replace('Bearer ', '').split(':');
  const { clientId, clientSecret } = RAMP_KEYS.banxa;
  const right = createHmac('sha256', clientSecret).update([method, path, nonce].join('\n')).digest('hex');
  if (key !== clientId || signature !== right) return { status: 401, json: {} };
  const coins = [
    { coin_code: 'ETH', blockchains: [{ code: 'ETH' }, { code: 'BASE' }] },
    { coin_code: 'BTC', blockchains: [{ code: 'BTC' }] },
  ];
  return { json: { data: { coins } } };
}
