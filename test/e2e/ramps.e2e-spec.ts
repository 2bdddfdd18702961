import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import type { EndUserPrincipal } from '../../src/auth/index.js';
import { RampOrdersPurge } from '../../src/funding/ramps/ramp-orders-purge.job.js';
import { RampOrders } from '../../src/funding/ramps/ramp-orders.service.js';
import { RampOrdersRepository } from '../../src/funding/ramps/ramp-orders.repository.js';
import { DuplicateMerges } from '../../src/identity/index.js';
import { VendorClient } from '../../src/networks/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { TestClient } from '../support/client.js';
import { enableRamp } from '../support/funded-world.js';
import { MoneyVendors, RAMP_KEYS } from '../support/money-vendors.js';
import { rowsOf } from '../support/rows.js';
import { enableSms, newPhone, verifyPhone } from '../support/sms.js';
import { newEmail, World } from '../support/world.js';

interface Refusal {
  code: string;
  payload?: { reason?: string; fields?: { field: string; reason: string }[] };
}
interface Ramp {
  provider: string;
  name: string;
  iconUrl: string;
  url: string;
}

interface OrderAnswer {
  order: Record<string, unknown>;
  paymentLink?: object;
}

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const WHERE = `walletAddress=${ADDRESS}&chain=EVM&networkId=8453`;
const ORDER = {
  agreementAcceptedAt: '2026-11-20T12:00:00.000Z',
  destinationAddress: ADDRESS,
  destinationNetwork: 'base',
  partnerUserRef: 'sandbox-user-1',
  paymentAmount: '100.00',
  paymentCurrency: 'USD',
  paymentMethod: 'GUEST_CHECKOUT_APPLE_PAY',
  purchaseCurrency: 'USDC',
};
const PAYMENT = { amount: 2500, currency: 'USD', walletAddress: ADDRESS, chain: 'EVM' };

let vendors: MoneyVendors;
let test: TestApp;
let world: World;

beforeAll(async () => {
  vendors = await MoneyVendors.start();
  test = await startTestApp({
    env: { ROLE: 'api', RATE_LIMIT_SCALE: '100', PROVIDER_ADDRESSES: JSON.stringify(vendors.addresses) },
  });
  world = await World.create(test);
  for (const ramp of ['coinbaseOnramp', 'banxa', 'cryptoDotCom'] as const) await enableRamp(world, ramp);
});
afterAll(async () => {
  await test.close();
  await vendors.close();
});
beforeEach(() => {
  vendors.moods.clear();
  for (const name of ['order', 'link', 'payment'] as const) delete vendors.said[name];
  vendors.calls.length = 0;
  const { breaker } = test.app.get<{ breaker: { circuits: Map<string, unknown> } }>(VendorClient);
  breaker.circuits.clear();
});

/** Somebody with a verified email address and, unless they have none, a phone number verified some days ago. */
async function buyer(phoneAgeDays: number | null = 1) {
  const { userId, jwt } = await world.signIn(newEmail());
  if (phoneAgeDays !== null) {
    await rowsOf(
      test,
      `INSERT INTO credentials (environment_id, id, user_id, format, phone_number, phone_country_code, iso_country_code, verified_at)
       VALUES ($1, gen_random_uuid(), $2, 'phoneNumber', '5550100', '1', 'US', now() - make_interval(days => $3))`,
      [world.environmentId, userId, phoneAgeDays],
    );
  }
  return new TestClient(test.url, jwt);
}

const onramps = async (query = WHERE, of = world) =>
  (await of.anonymous.get<{ onramps: Ramp[] }>(of.sdk(`/onramps?${query}`), { expect: 200 })).body.onramps;
const buy = (body: object, status: number) =>
  world.anonymous.post<Refusal & { url: string }>(world.sdk('/onramps/coinbase/buy'), body, { expect: status });

describe('the providers of ramps', () => {
  it.each([
    ['coinbaseOnramp', { clientId: 'key' }, ['clientSecret']],
    ['banxa', {}, ['clientId', 'domain', 'clientSecret']],
    ['cryptoDotCom', {}, ['clientSecret']],
  ])('%s with %j cannot be enabled: %j are missing', async (type, body, fields) => {
    const own = await World.create(test);
    const made = await own.owner.post<{ id: string }>(own.path(`/settings/providers/type/${type}`), body, {
      expect: 201,
    });
    const path = `/settings/providers/${made.body.id}/enable`;
    const refused = (await own.owner.put<Refusal>(path, undefined, { expect: 422 })).body;
    expect(refused.payload!.fields!.map(({ field }) => field)).toEqual(fields);
  });

  it('take secrets of their form alone, and never show them', async () => {
    const own = await World.create(test);
    const path = own.path('/settings/providers/type/coinbaseOnramp');
    const wrong = { clientId: 'key', clientSecret: 'a word' };
    expect((await own.owner.post<Refusal>(path, wrong, { expect: 422 })).body.payload!.fields![0]!.reason).toContain(
      'Ed25519',
    );
    const made = await own.owner.post<object>(path, RAMP_KEYS.coinbaseOnramp, { expect: 201 });
    expect(JSON.stringify(made.body)).not.toContain(RAMP_KEYS.coinbaseOnramp.clientSecret);
  });
});

describe('the host that a partner names', () => {
  it.each(['pay.example:99999', '1.2.3.999'])('%s is refused where no address can be made of it', async (domain) => {
    const own = await World.create(test);
    const path = own.path('/settings/providers/type/banxa');
    const refused = await own.owner.post<Refusal>(path, { ...RAMP_KEYS.banxa, domain }, { expect: 422 });
    expect(refused.body.payload!.fields).toMatchObject([{ field: 'domain' }]);
  });

  it('leaves the ramp out, and the others where they are, if it was saved before that was looked at', async () => {
    const elsewhere = await startTestApp({ env: { ROLE: 'api' } });
    const own = await World.create(elsewhere);
    await enableRamp(own, 'banxa');
    await rowsOf(
      elsewhere,
      `UPDATE providers SET configuration = configuration || '{"domain": "pay.example:99999"}' WHERE environment_id = $1`,
      [own.environmentId],
    );
    expect(await onramps(WHERE, own)).toEqual([]);
    await elsewhere.close();
  });
});

describe('onramps', () => {
  it('are listed with links that are ready: a session that names the wallet, and the host of the partner', async () => {
    const ramps = await onramps(`${WHERE}&currency=EUR&tokenAmount=0.5`);
    expect(ramps.map(({ provider }) => provider)).toEqual(['coinbaseOnramp', 'banxa']);
    const [coinbase, banxa] = ramps.map(({ url }) => new URL(url));
    const session = vendors.sessions.get(coinbase!.searchParams.get('sessionToken')!)!;
    expect(session.addresses).toEqual([{ address: ADDRESS, blockchains: ['base'] }]);
    expect(coinbase!.origin + coinbase!.pathname).toBe('https://pay.coinbase.example/buy/select-asset');
    expect(Object.fromEntries(coinbase!.searchParams)).toMatchObject({
      defaultNetwork: 'base',
      defaultAsset: 'ETH',
      fiatCurrency: 'EUR',
      presetCryptoAmount: '0.5',
    });
    expect(coinbase!.href).not.toContain(ADDRESS);
    expect(Object.fromEntries(banxa!.searchParams)).toEqual({
      orderType: 'buy',
      coinType: 'ETH',
      blockchain: 'BASE',
      walletAddress: ADDRESS,
      fiatType: 'EUR',
      coinAmount: '0.5',
    });
    const small = (await onramps(`${WHERE}&tokenAmount=0.00000001`)).map(({ url }) => new URL(url).searchParams);
    expect([small[0]!.get('presetCryptoAmount'), small[1]!.get('coinAmount')]).toEqual(['0.00000001', '0.00000001']);
    expect(ramps.every(({ iconUrl }) => iconUrl.startsWith('data:image/svg+xml,'))).toBe(true);
  });

  it('take what is left empty for not asked, as forms send it', async () => {
    const query = `walletAddress=${ADDRESS}&chain=EVM&networkId=&token=&currency=`;
    const [coinbase, banxa] = (await onramps(query)).map(({ url }) => new URL(url).searchParams);
    expect([coinbase!.get('defaultNetwork'), coinbase!.get('defaultAsset')]).toEqual(['ethereum', 'ETH']);
    expect([banxa!.get('coinType'), banxa!.get('fiatType')]).toEqual(['ETH', null]);
  });

  it('leave out who does not sell this, who cannot be asked, and all on a network that nobody knows', async () => {
    expect((await onramps(`${WHERE}&token=PEPE`)).map(({ provider }) => provider)).toEqual(['coinbaseOnramp']);
    for (const mood of ['down', 'garbage', 'refuses'] as const) {
      vendors.moods.set('onramp', mood);
      expect((await onramps()).map(({ provider }) => provider)).toEqual(['banxa']);
    }
    vendors.moods.clear();
    for (const networkId of ['424242', 'constructor', '__proto__', 'toString']) {
      expect(await onramps(`walletAddress=${ADDRESS}&chain=EVM&networkId=${networkId}`)).toEqual([]);
    }
  });

  it('name those that are switched off when they are asked for, with the start page of the vendor', async () => {
    const own = await World.create(test);
    await own.owner.post(own.path('/settings/providers/type/banxa'), RAMP_KEYS.banxa, { expect: 201 });
    expect(await onramps(WHERE, own)).toEqual([]);
    expect(await onramps(`${WHERE}&includeDisabled=true`, own)).toEqual([
      expect.objectContaining({ provider: 'banxa', url: 'https://acme.banxa.example/' }),
    ]);
  });

  it('ask for the coins of a vendor once, though fifty ask at once', async () => {
    const own = await World.create(test);
    await enableRamp(own, 'banxa');
    await Promise.all(Array.from({ length: 50 }, () => onramps(WHERE, own)));
    expect(vendors.count('/banxa/coins/buy')).toBe(1);
  });

  it('have offramps beside them', async () => {
    const path = world.sdk(`/offramps?${WHERE}`);
    const { offramps } = (await world.anonymous.get<{ offramps: Ramp[] }>(path, { expect: 200 })).body;
    const [coinbase, banxa] = offramps.map(({ url }) => new URL(url));
    expect(coinbase!.pathname).toBe('/v3/sell/input');
    expect(banxa!.searchParams.get('orderType')).toBe('sell');
  });
});

describe('a purchase at Coinbase', () => {
  const request = { destinationAddress: ADDRESS, networks: ['base', 'ethereum'], assets: ['ETH'] };

  it('has an address of its own, with what was preset', async () => {
    const preset = { ...request, presetFiatAmount: '20', fiatCurrency: 'USD', redirectUrl: 'https://app.example/back' };
    const url = new URL((await buy(preset, 200)).body.url);
    const session = vendors.sessions.get(url.searchParams.get('sessionToken')!)!;
    expect(session).toMatchObject({
      addresses: [{ address: ADDRESS, blockchains: ['base', 'ethereum'] }],
      assets: ['ETH'],
    });
    expect(session.clientIp).toBeUndefined();
    expect(url.searchParams.get('presetFiatAmount')).toBe('20');
    expect(url.searchParams.get('redirectUrl')).toBe('https://app.example/back');
    const other = new URL((await buy(preset, 200)).body.url);
    expect(other.searchParams.get('sessionToken')).not.toBe(url.searchParams.get('sessionToken'));
  });

  it('does not send people back by anything but https', async () => {
    for (const redirectUrl of ['javascript:alert(1)', 'http://app.example', 'nowhere'])
      expect((await buy({ ...request, redirectUrl }, 400)).body.code).toBe('invalid_redirect_url');
  });

  it('says what went wrong: refused by the vendor, no answer, not set up', async () => {
    vendors.moods.set('onramp', 'refuses');
    expect((await buy(request, 422)).body).toMatchObject({
      code: 'onramp_refused',
      payload: { reason: 'guest_transaction_limit' },
    });
    const networks = world.sdk('/onramps/coinbase/networks');
    expect((await world.anonymous.get<Refusal>(networks, { expect: 422 })).body.code).toBe('onramp_refused');
    vendors.moods.set('onramp', 'garbage');
    expect((await world.anonymous.get<Refusal>(networks, { expect: 503 })).body.code).toBe('vendor_unavailable');
    expect((await buy(request, 503)).body.code).toBe('vendor_unavailable');
    const own = await World.create(test);
    const path = own.sdk('/onramps/coinbase/buy');
    expect((await own.anonymous.post<Refusal>(path, request, { expect: 422 })).body.code).toBe('onramp_not_available');
    await own.anonymous.get(own.sdk('/onramps/coinbase/networks'), { expect: 404 });
  });

  it('names the networks, asked for once by a hundred at once', async () => {
    const path = world.sdk('/onramps/coinbase/networks');
    const all = await Promise.all(
      Array.from({ length: 100 }, () => world.anonymous.get<string[]>(path, { expect: 200 })),
    );
    expect(all.every(({ body }) => body.join() === 'base,ethereum')).toBe(true);
    expect(vendors.count('/onramp/buy/options')).toBe(1);
  });

  it('is ordered in the name of a person with a verified address and a fresh number', async () => {
    const path = world.sdk('/onramps/coinbase/orders');
    const person = await buyer();
    const { body } = await person.post<{ order: { orderId: string }; paymentLink: { url: string } }>(path, ORDER, {
      expect: 200,
    });
    expect(body.paymentLink.url).toContain('apple-pay');
    const sent = JSON.parse(vendors.calls.at(-1)!.body) as object;
    expect(sent).toMatchObject({ phoneNumber: '+15550100', isQuote: false, partnerUserRef: 'sandbox-user-1' });
    const quote = await person.post<{ paymentLink?: object }>(path, { ...ORDER, isQuote: true }, { expect: 200 });
    expect(quote.body.paymentLink).toBeUndefined();
    const both = { ...ORDER, purchaseAmount: '1' };
    expect((await person.post<Refusal>(path, both, { expect: 400 })).body.code).toBe('invalid_order_amount');
    for (const client of [await buyer(null), await buyer(61)])
      expect((await client.post<Refusal>(path, ORDER, { expect: 422 })).body.code).toBe('phone_verification_required');
    vendors.moods.set('onramp', 'refuses');
    expect((await person.post<Refusal>(path, ORDER, { expect: 422 })).body.payload!.reason).toBe(
      'guest_transaction_limit',
    );
  });

  it('is ordered again once a number that was verified long ago is verified again', async () => {
    const path = world.sdk('/onramps/coinbase/orders');
    const { userId, jwt } = await world.signIn(newEmail());
    const person = new TestClient(test.url, jwt);
    await enableSms(world);
    const phone = newPhone();
    expect((await verifyPhone(world, jwt, phone)).status).toBe(200);
    const age = `UPDATE credentials SET verified_at = now() - interval '61 days' WHERE user_id = $1 AND format = 'phoneNumber'`;
    await rowsOf(test, age, [userId]);
    await rowsOf(test, "UPDATE code_networks SET last_sent_at = last_sent_at - interval '1 minute'");
    expect((await person.post<Refusal>(path, ORDER, { expect: 422 })).body.code).toBe('phone_verification_required');
    expect((await verifyPhone(world, jwt, phone)).status).toBe(200);
    await person.post(path, ORDER, { expect: 200 });
    const sent = JSON.parse(vendors.calls.at(-1)!.body) as { phoneNumberVerifiedAt: string };
    expect(Date.now() - Date.parse(sent.phoneNumberVerifiedAt)).toBeLessThan(60_000);
  });

  it('with a key is one order, whoever dies in the middle', async () => {
    const path = world.sdk('/onramps/coinbase/orders');
    const person = await buyer();
    const headers = { 'idempotency-key': randomUUID() };
    vendors.moods.set('onramp', 'takes-and-dies');
    await person.post(path, ORDER, { expect: 503, headers });
    vendors.moods.clear();
    const known = vendors.orders.size;
    const all = await Promise.all(
      Array.from({ length: 50 }, () =>
        person.post<{ order: { orderId: string } }>(path, ORDER, { expect: 200, headers }),
      ),
    );
    expect(new Set(all.map(({ body }) => body.order.orderId)).size).toBe(1);
    expect(vendors.orders.size).toBe(known);
    const other = { ...ORDER, paymentAmount: '200.00' };
    expect((await person.post<Refusal>(path, other, { expect: 422, headers })).body.code).toBe(
      'idempotency_key_reused',
    );
    await person.post(path, ORDER, { expect: 400, headers: { 'idempotency-key': 'two words' } });
  });
});

describe('the key of an order at Coinbase', () => {
  const path = () => world.sdk('/onramps/coinbase/orders');
  const other = { ...ORDER, paymentAmount: '200.00' };

  it('stays with its order when a repetition is refused', async () => {
    const person = await buyer();
    const headers = { 'idempotency-key': randomUUID() };
    await person.post(path(), ORDER, { expect: 200, headers });
    vendors.moods.set('onramp', 'refuses');
    await person.post(path(), ORDER, { expect: 422, headers });
    vendors.moods.clear();
    expect((await person.post<Refusal>(path(), other, { expect: 422, headers })).body.code).toBe(
      'idempotency_key_reused',
    );
    await person.post(path(), ORDER, { expect: 200, headers });
  });

  it('stays with its order when the first call is refused, for a repetition may be under way', async () => {
    const person = await buyer();
    const headers = { 'idempotency-key': randomUUID() };
    vendors.moods.set('onramp', 'refuses');
    await person.post(path(), ORDER, { expect: 422, headers });
    vendors.moods.clear();
    await person.post(path(), other, { expect: 422, headers });
    await person.post(path(), ORDER, { expect: 200, headers });
  });
});

describe('an answer of Coinbase to an order', () => {
  const order = async (status: number) => {
    const ordered = await (
      await buyer()
    ).post<OrderAnswer>(world.sdk('/onramps/coinbase/orders'), ORDER, { expect: status });
    return ordered.body;
  };

  it('loses what nobody needs where it is of another type', async () => {
    vendors.said.order = { txHash: 7, partnerUserRef: { of: 'another type' }, fees: [{ type: 'FEE_TYPE_NETWORK' }] };
    const { order: made, paymentLink } = await order(200);
    expect(made).not.toHaveProperty('txHash');
    expect(made).not.toHaveProperty('partnerUserRef');
    expect(made['fees']).toEqual([]);
    expect(paymentLink).toBeDefined();
  });

  it.each([{ url: 'javascript:alert(1)' }, { url: 7 }, { paymentLinkType: null }])(
    'has no link where it is none: %j',
    async (link) => {
      vendors.said.link = link;
      expect(await order(200)).not.toHaveProperty('paymentLink');
    },
  );

  it.each([
    { paymentTotal: 100 },
    { exchangeRate: null },
    { destinationAddress: ['0x'] },
    { status: {} },
    { createdAt: 5 },
    { orderId: 'not-a-uuid' },
  ])('is none where it lacks what an order has: %j', async (said) => {
    vendors.said.order = said;
    await order(503);
  });
});

describe('a payment at Crypto.com', () => {
  const path = () => world.sdk('/onramps/cryptoDotCom/payment');

  it('is made with the key of the merchant and told where the money goes', async () => {
    const person = await buyer();
    const { body } = await person.post<Record<string, unknown>>(
      path(),
      { ...PAYMENT, orderId: 'o-1' },
      { expect: 200 },
    );
    expect(body).toMatchObject({
      amount: 2500,
      currency: 'USD',
      status: 'pending',
      qrCode: 'qr',
      orderId: 'o-1',
      liveMode: false,
      returnUrl: 'https://app.example/done',
    });
    expect(JSON.parse(vendors.calls.at(-1)!.body)).toMatchObject({
      metadata: { wallet_address: ADDRESS, chain: 'EVM' },
    });
    for (const amount of [0, -1, 1.5])
      expect((await person.post<Refusal>(path(), { ...PAYMENT, amount }, { expect: 400 })).body.code).toBe(
        'invalid_order_amount',
      );
    vendors.moods.set('cdc', 'refuses');
    expect((await person.post<Refusal>(path(), PAYMENT, { expect: 422 })).body.payload!.reason).toBe(
      'currency_not_supported',
    );
    const own = await World.create(test);
    const stranger = new TestClient(test.url, (await own.signIn(newEmail())).jwt);
    await stranger.post(own.sdk('/onramps/cryptoDotCom/payment'), PAYMENT, { expect: 404 });
  });

  it('loses what nobody needs where it is of another type', async () => {
    vendors.said.payment = {
      ...{
        amount_refunded: 'some',
        created: [],
        crypto_currency: 7,
        crypto_amount: {},
        customer_id: true,
        refunded: 'no',
      },
      ...{
        return_url: 1,
        cancel_url: 2,
        description: [],
        live_mode: 'yes',
        metadata: 'none',
        order_id: 3,
        recipient: {},
      },
      ...{ expired_at: '1700000000', qr_code: 9 },
    };
    const { body } = await (await buyer()).post<object>(path(), PAYMENT, { expect: 200 });
    const required = { amount: 2500, currency: 'USD', status: 'pending', qrCode: '' };
    const named = { id: expect.any(String), paymentUrl: expect.any(String) };
    expect(body).toEqual({ ...required, ...named, expiredAt: 1_700_000_000 });
  });

  it('loses metadata that is deeper than anything it was given', async () => {
    vendors.said.payment = { metadata: 'raw' };
    vendors.raw = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const { body } = await (await buyer()).post<object>(path(), PAYMENT, { expect: 200 });
    expect(body).not.toHaveProperty('metadata');
  });

  it.each([
    { currency: null },
    { currency: { code: 'USD' } },
    { amount: null },
    { amount: [] },
    { amount: true },
    { payment_url: 'javascript:alert(1)' },
    { status: 7 },
    { id: 'pay\0' },
  ])('is none where the answer lacks what a payment has: %j', async (said) => {
    vendors.said.payment = said;
    await (await buyer()).post(path(), PAYMENT, { expect: 503 });
  });

  it('with a key is made once by fifty at once, and answered again', async () => {
    const person = await buyer();
    const headers = { 'idempotency-key': randomBytes(8).toString('hex') };
    const all = await Promise.all(
      Array.from({ length: 50 }, () => person.post<{ id: string }>(path(), PAYMENT, { headers })),
    );
    expect(all.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const made = all.find(({ status }) => status === 200)!;
    expect(vendors.calls.filter(({ path: at }) => at === '/cdc/payments')).toHaveLength(1);
    expect((await person.post<{ id: string }>(path(), PAYMENT, { expect: 200, headers })).body.id).toBe(made.body.id);
  });

  it.each(['takes-and-dies', 'takes-and-hesitates', 'garbage'] as const)(
    'whose answer is lost (%s) is not made again with its key',
    async (mood) => {
      const person = await buyer();
      const headers = { 'idempotency-key': randomUUID() };
      vendors.moods.set('cdc', mood);
      await person.post(path(), PAYMENT, { expect: 503, headers });
      vendors.moods.clear();
      expect((await person.post<Refusal>(path(), PAYMENT, { expect: 409, headers })).body.code).toBe(
        'order_outcome_unknown',
      );
      expect(vendors.calls.filter(({ path: at }) => at === '/cdc/payments')).toHaveLength(1);
    },
  );

  it('that is made while the service cannot write down what it is called is not made again', async () => {
    const { userId } = await world.signIn(newEmail());
    const [caller, key] = [{ userId } as EndUserPrincipal, randomUUID()];
    const request = { ...PAYMENT, chain: 'EVM' as const };
    const pay = () => test.app.get(RampOrders).cryptoDotComPayment(world.environmentId, caller, request, key);
    const orders = test.app.get(RampOrdersRepository);
    const { update } = orders;
    orders.update = async () => Promise.reject(new Error('the database is away'));
    try {
      await expect(pay()).rejects.toThrow('the database is away');
    } finally {
      orders.update = update;
    }
    await expect(pay()).rejects.toMatchObject({ code: 'order_outcome_unknown' });
    expect(vendors.calls.filter(({ path: at }) => at === '/cdc/payments')).toHaveLength(1);
  });

  it('is the one of its key for a day, whatever is cleared away meanwhile', async () => {
    const person = await buyer();
    const headers = { 'idempotency-key': randomUUID() };
    const pay = async () => (await person.post<{ id: string }>(path(), PAYMENT, { expect: 200, headers })).body.id;
    const aged = async (ago: string) => {
      const age = 'UPDATE ramp_orders SET created_at = now() - $2::interval WHERE environment_id = $1';
      await rowsOf(test, age, [world.environmentId, ago]);
      await test.app.get(RampOrdersPurge).run();
    };
    const first = await pay();
    await aged('23 hours 59 minutes');
    expect(await pay()).toBe(first);
    await aged('24 hours 1 second');
    expect(await pay()).not.toBe(first);
  });

  it('is the one of its key after its user was merged into another, and only of that key', async () => {
    const wallets = [
      { chain: 'EVM', publicWalletAddress: ADDRESS, walletName: 'Own', walletProvider: 'browserExtension' },
    ];
    const [from, into] = await Promise.all(
      [1, 2].map(async () => {
        const made = await world.api.post<{ user: { id: string } }>(world.path('/users'), { wallets }, { expect: 201 });
        return made.body.user.id;
      }),
    );
    const request = { ...PAYMENT, chain: 'EVM' as const };
    const key = randomUUID();
    const pay = async (userId: string, named = key, asked = request) => {
      const caller = { userId } as EndUserPrincipal;
      return (await test.app.get(RampOrders).cryptoDotComPayment(world.environmentId, caller, asked, named)).id;
    };
    const first = await pay(from!);
    const pair = { userId: into!, fromUserId: from! };
    await test.app.get(DuplicateMerges).merge(world.environmentId, pair, into!);
    expect(await pay(into!)).toBe(first);
    await expect(pay(into!, key, { ...request, amount: 1 })).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    expect(await pay(into!, randomUUID())).not.toBe(first);
    expect(vendors.calls.filter(({ path: at }) => at === '/cdc/payments')).toHaveLength(2);
  });

  it('that is refused may be made with the same key', async () => {
    const person = await buyer();
    const headers = { 'idempotency-key': randomUUID() };
    vendors.moods.set('cdc', 'refuses');
    await person.post(path(), PAYMENT, { expect: 422, headers });
    vendors.moods.clear();
    await person.post(path(), PAYMENT, { expect: 200, headers });
  });

  it('is not carried to where a vendor sends it instead', async () => {
    const person = await buyer();
    vendors.moods.set('cdc', 'sends-away');
    vendors.moods.set('onramp', 'sends-away');
    await person.post(path(), PAYMENT, { expect: 503 });
    await person.post(world.sdk('/onramps/coinbase/orders'), ORDER, { expect: 503 });
    expect(vendors.count('/elsewhere')).toBe(0);
  });
});
