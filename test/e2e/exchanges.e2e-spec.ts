import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { CompareRecipientsOfPayouts20261127230001 } from '../../migrations/20261127230001-compare-recipients-of-payouts.js';
import { VendorClient } from '../../src/networks/index.js';
import { CoinbaseExchange } from '../../src/funding/transfers/coinbase-exchange.js';
import { ExchangeTransfersRepository } from '../../src/funding/transfers/exchange-transfers.repository.js';
import { OpenPayouts } from '../../src/funding/transfers/open-payouts.job.js';
import { PayoutSettlement } from '../../src/funding/transfers/payout-settlement.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { KRAKEN_ADDRESS, RIGHT_CODE } from '../support/exchange-peers.js';
import { enableExchange } from '../support/funded-world.js';
import { MoneyVendors } from '../support/money-vendors.js';
import { addOauthAccount } from '../support/oauth-account.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { newEmail, World } from '../support/world.js';
import { TestClient } from '../support/client.js';

interface Refusal {
  code: string;
  payload?: { fields?: { field: string; reason: string }[]; id?: string };
}
interface Exchange {
  id: string;
  exchange: string;
  enabledAt: string | null;
  socialProvider?: string;
  onRampProvider?: string;
}
interface Transfer extends Refusal {
  id: string;
  status: string;
  amount: number;
  currency: string;
  exchangeAccountId: string;
}
interface Account {
  id: string;
  exchange: string;
  balances: { currency: string; balance: number; availableBalance?: number }[];
  chain?: string;
}

let vendors: MoneyVendors;
let test: TestApp;
let world: World;

beforeAll(async () => {
  vendors = await MoneyVendors.start();
  test = await startTestApp({
    env: { ROLE: 'api', RATE_LIMIT_SCALE: '100', PROVIDER_ADDRESSES: JSON.stringify(vendors.addresses) },
  });
  world = await World.create(test);
  await enableExchange(world, 'coinbase');
  await enableExchange(world, 'kraken');
});
afterAll(async () => {
  await test.close();
  await vendors.close();
});
beforeEach(() => {
  vendors.coinbase.mood = 'well';
  vendors.coinbase.tellsKeys = true;
  vendors.coinbase.nextAccounts = null;
  vendors.coinbase.held = '2.5';
  vendors.kraken.mood = 'well';
  vendors.kraken.overtaken = 0;
  vendors.kraken.instead = {};
  vendors.moods.clear();
  // What an earlier test has broken is not what this one finds.
  const { breaker } = test.app.get<{ breaker: { circuits: Map<string, unknown> } }>(VendorClient);
  breaker.circuits.clear();
});

/** Somebody with an account at an exchange. */
async function holder(exchange: 'coinbase' | 'kraken', accessToken = randomBytes(16).toString('hex'), of = world) {
  const { userId, jwt } = await of.signIn(newEmail());
  const provider = exchange === 'coinbase' ? 'coinbasesocial' : 'kraken';
  await addOauthAccount(of, userId, provider, accessToken);
  const client = new TestClient(test.url, jwt);
  const at = (rest = '') => of.sdk(`/exchange/${exchange}/accounts${rest}`);
  const headers = await proofOf(of, jwt);
  const [account] = (await client.get<Account[]>(at(), { expect: 200 })).body;
  const pay = (body: object, expectStatus = 201) =>
    client.post<Transfer>(at(`/${account!.id}/transfer`), body, { expect: expectStatus, headers });
  return { userId, jwt, client, at, headers, account: account!, accessToken, pay };
}

const payout = () => ({ id: randomUUID(), to: `0x${randomBytes(20).toString('hex')}`, amount: 0.25, currency: 'ETH' });
const sentTo = (to: string) => vendors.coinbase.sent.filter((one) => one.to === to);
const statesOf = (id: string) =>
  rowsOf<{ state: string }>(test, 'SELECT state FROM exchange_transfers WHERE id = $1', [id]).then((rows) =>
    rows.map(({ state }) => state),
  );

/** What is nonsense is nobody's balance. The breaker would otherwise remember it. */
async function expectGarbage(client: TestClient, path: string, change: () => unknown): Promise<void> {
  change();
  const { body } = await client.get<Refusal & { payload: { reason: string } }>(path, { expect: 503 });
  expect([body.code, body.payload.reason]).toEqual(['vendor_unavailable', 'garbage']);
  const { breaker } = test.app.get<{ breaker: { circuits: Map<string, unknown> } }>(VendorClient);
  breaker.circuits.clear();
}

describe('exchanges of an environment', () => {
  it('are set up disabled, enabled, disabled and removed, each with its event', async () => {
    const own = await World.create(test);
    const path = own.path('/settings/exchanges');
    const made = (await own.owner.post<Exchange>(path, { exchange: 'kraken' }, { expect: 201 })).body;
    expect(made).toMatchObject({ exchange: 'kraken', enabledAt: null, socialProvider: 'kraken' });
    expect((await own.owner.get<{ exchanges: Exchange[] }>(path, { expect: 200 })).body.exchanges).toEqual([made]);
    const one = `/settings/exchanges/${made.id}`;
    expect((await own.owner.get<Exchange>(one, { expect: 200 })).body).toEqual(made);
    const refused = (await own.owner.put<Refusal>(`${one}/enable`, undefined, { expect: 422 })).body;
    expect(refused).toMatchObject({
      code: 'exchange_cannot_be_enabled',
      payload: { fields: [{ field: 'socialProvider' }] },
    });
    await own.owner.delete(one, { expect: 204 });
    await enableExchange(own, 'kraken');
    const [enabled] = (await own.owner.get<{ exchanges: Exchange[] }>(path, { expect: 200 })).body.exchanges;
    expect(enabled!.enabledAt).not.toBeNull();
    const off = await own.owner.put<Exchange>(`/settings/exchanges/${enabled!.id}/disable`, undefined, { expect: 200 });
    expect(off.body.enabledAt).toBeNull();
    const names = (await eventsOf(test, own.environmentId))
      .map(({ name }) => name)
      .filter((name) => name.startsWith('exchange.'));
    expect(names).toEqual([
      'exchange.created',
      'exchange.deleted',
      'exchange.created',
      'exchange.enabled',
      'exchange.disabled',
    ]);
  });

  it('are told to applications while they and the provider they are linked by are on', async () => {
    const own = await World.create(test);
    const told = async () => {
      // Settings are at most a second old.
      await new Promise((resolve) => setTimeout(resolve, 1_050));
      return (await own.api.get<{ exchanges?: Exchange[] }>(own.sdk('/settings'), { expect: 200 })).body.exchanges;
    };
    const id = await enableExchange(own, 'kraken');
    await own.owner.post(own.path('/settings/exchanges'), { exchange: 'coinbase' }, { expect: 201 });
    const shown = { id, exchange: 'kraken', enabledAt: expect.any(String), socialProvider: 'kraken' };
    expect(await told()).toEqual([shown]);
    const { body } = await own.owner.get<{ settings: { exchanges: Exchange[] } }>(own.path(''), { expect: 200 });
    expect(body.settings.exchanges).toEqual([shown]);
    await own.owner.put(own.path(''), { exchanges: body.settings.exchanges }, { expect: 200 });
    const { providers } = (await own.owner.get<{ providers: { id: string }[] }>(own.path('/settings/providers'))).body;
    const at = `/settings/providers/${providers.find((one) => 'provider' in one && one.provider === 'kraken')!.id}`;
    await own.owner.put(`${at}/disable`, undefined, { expect: 200 });
    expect(await told()).toEqual([]);
    await own.owner.put(`${at}/enable`, undefined, { expect: 200 });
    expect(await told()).toHaveLength(1);
    await own.owner.put(`/settings/exchanges/${id}/disable`, undefined, { expect: 200 });
    expect(await told()).toEqual([]);
  });

  it('name the scopes that their provider does not request', async () => {
    const own = await World.create(test);
    const provider = { clientId: 'client', clientSecret: 'secret-of-the-client', scopes: 'wallet:accounts:read' };
    const type = own.path('/settings/providers/type/coinbasesocial');
    const { id } = (await own.owner.post<{ id: string }>(type, provider, { expect: 201 })).body;
    await own.owner.put(`/settings/providers/${id}/enable`, undefined, { expect: 200 });
    const body = { exchange: 'coinbase', onRampProvider: 'coinbaseOnramp' };
    const made = await own.owner.post<Exchange>(own.path('/settings/exchanges'), body, { expect: 201 });
    const enable = `/settings/exchanges/${made.body.id}/enable`;
    const { payload } = (await own.owner.put<Refusal>(enable, undefined, { expect: 422 })).body;
    expect(payload!.fields!.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('wallet:transactions:read'),
      expect.stringContaining('wallet:transactions:send'),
      'the provider coinbaseOnramp is not enabled',
    ]);
  });

  it('refuse providers of others, and exist once if fifty are created concurrently', async () => {
    const own = await World.create(test);
    const path = own.path('/settings/exchanges');
    const wrong = await own.owner.post<Refusal>(
      path,
      { exchange: 'kraken', socialProvider: 'github' },
      { expect: 422 },
    );
    expect(wrong.body.code).toBe('invalid_exchange_provider');
    const all = await Promise.all(Array.from({ length: 50 }, () => own.owner.post(path, { exchange: 'kraken' }, {})));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(all.filter(({ status }) => status === 422)).toHaveLength(49);
  });

  it('are unknown to other tenants', async () => {
    const [own, other] = [await World.create(test), await World.create(test)];
    const { body } = await own.owner.post<Exchange>(
      own.path('/settings/exchanges'),
      { exchange: 'kraken' },
      { expect: 201 },
    );
    await other.owner.get(`/settings/exchanges/${body.id}`, { expect: 404 });
    await other.owner.delete(`/settings/exchanges/${body.id}`, { expect: 404 });
  });
});

describe('accounts at an exchange', () => {
  it('of Coinbase are read with the token of the sign-in, and can be narrowed to a chain', async () => {
    const { client, at, account, accessToken } = await holder('coinbase');
    expect(account).toMatchObject({
      id: vendors.coinbase.accountOf(accessToken),
      exchange: 'coinbase',
      balances: [{ currency: 'ETH', balance: 2.5 }],
    });
    const all = (await client.get<Account[]>(at(), { expect: 200 })).body;
    expect(all.map(({ balances }) => balances[0]!.currency)).toEqual(['ETH', 'BTC']);
    const onBase = (await client.get<Account[]>(at('?chainName=EVM&networkId=8453'), { expect: 200 })).body;
    expect(onBase).toEqual([expect.objectContaining({ id: account.id, chain: 'EVM' })]);
    await client.get(at('?chainName=COSMOS'), { expect: 422 });
    const transactions = (
      await client.get<{ transactionId: string }[]>(at(`/transactions?accountId=${account.id}`), { expect: 200 })
    ).body;
    expect(transactions).toHaveLength(1);
    await client.get(at(`/transactions?accountId=${randomUUID()}`), { expect: 404 });
    const { body } = await client.get<object>(at('/transfer/destinations'), { expect: 200 });
    expect(body).toEqual({ destinations: [], enforcesAddressWhitelist: false });
  });

  it('of Kraken are read with a signed key created for the user', async () => {
    const { client, at, account } = await holder('kraken');
    expect(account.balances).toEqual([
      { currency: 'BTC', balance: 0.5, availableBalance: 0.4 },
      { currency: 'ETH', balance: 3, availableBalance: 3 },
      { currency: 'USD', balance: 10, availableBalance: 10 },
    ]);
    const { body } = await client.get<{ destinations: { address: string; tokens: string[] }[] }>(
      at('/transfer/destinations'),
      { expect: 200 },
    );
    expect(body).toEqual({
      destinations: [
        { address: KRAKEN_ADDRESS, tokens: ['ETH'] },
        { address: 'bc1qtest', tokens: ['BTC'] },
      ],
      enforcesAddressWhitelist: true,
    });
    const made = vendors.kraken.keys.size;
    await Promise.all(Array.from({ length: 20 }, () => client.get(at(), { expect: 200 })));
    expect(vendors.kraken.keys.size).toBe(made);
    await client.get(at('/transactions'), { expect: 200 });
    const onBitcoin = (await client.get<Account[]>(at('?chainName=BTC'), { expect: 200 })).body;
    expect(onBitcoin[0]!.balances.map(({ currency }) => currency)).toEqual(['BTC']);
  });

  it('of Kraken are available but for what is held, to the last digit', async () => {
    vendors.kraken.instead = { BalanceEx: { XETH: { balance: '1.1000000000', hold_trade: '0.2000000000' } } };
    const { account } = await holder('kraken');
    expect(account.balances).toEqual([{ currency: 'ETH', balance: 1.1, availableBalance: 0.9 }]);
  });

  it('are fetched once for a hundred identical concurrent calls, and separately for each user', async () => {
    const { accessToken } = await holder('coinbase');
    const exchange = test.app.get(CoinbaseExchange);
    const session = { credentialId: randomUUID(), accessToken };
    const count = () => vendors.count('/coinbase/v2/accounts');
    const before = count();
    await Promise.all(Array.from({ length: 100 }, () => exchange.accounts(session)));
    expect(count() - before).toBe(1);
    await Promise.all(Array.from({ length: 10 }, () => exchange.accounts({ credentialId: randomUUID(), accessToken })));
    expect(count() - before).toBe(11);
  });

  it('of Coinbase are complete, over all pages of the exchange, which cannot redirect to another host', async () => {
    const { client, at } = await holder('coinbase');
    vendors.coinbase.nextAccounts = '/v2/accounts?limit=100&starting_after=BTC';
    const all = (await client.get<Account[]>(at(), { expect: 200 })).body;
    expect(all.map(({ balances }) => balances[0]!.currency)).toEqual(['ETH', 'BTC', 'SOL']);
    for (const elsewhere of ['@evil.example/v2/accounts?x=1', 'https://evil.example/', '/v2/user', '/v2/accounts?a=@b'])
      await expectGarbage(client, at(), () => (vendors.coinbase.nextAccounts = elsewhere));
    // Back to the first page from the second, and so on for ever.
    vendors.coinbase.nextAccounts = '/v2/accounts?limit=100&starting_after=BTC';
    vendors.coinbase.nextOfLast = '/v2/accounts?limit=100';
    const around = (await client.get<Account[]>(at(), { expect: 200 })).body;
    expect(around.map(({ balances }) => balances[0]!.currency)).toEqual(['ETH', 'BTC', 'SOL']);
    vendors.coinbase.nextOfLast = null;
    vendors.coinbase.nextAccounts = null;
    for (const odd of ['much', '', null, {}, '1e999'])
      await expectGarbage(client, at(), () => (vendors.coinbase.held = odd));
  });

  it('of Kraken are not empty because it answers no balances, methods or addresses', async () => {
    const { client, at } = await holder('kraken');
    for (const [method, path] of [
      ['BalanceEx', ''],
      ['WithdrawMethods', '?chainName=BTC'],
      ['WithdrawAddresses', '/transfer/destinations'],
    ] as const) {
      for (const result of [null, undefined, 'none', 7]) {
        await expectGarbage(client, at(path), () => (vendors.kraken.instead = { [method]: result }));
      }
    }
  });

  it('of Kraken are read although calls overtake each other, and a payout is still sent once', async () => {
    const { client, at, pay } = await holder('kraken');
    vendors.kraken.overtaken = 1;
    expect((await client.get<Account[]>(at(), { expect: 200 })).body).toHaveLength(1);
    vendors.kraken.overtaken = 2;
    expect((await client.get<Refusal>(at(), { expect: 503 })).body.code).toBe('vendor_unavailable');
    const before = vendors.kraken.sent.length;
    vendors.kraken.overtaken = 1;
    await pay({ ...payout(), to: KRAKEN_ADDRESS, amount: 0.125 });
    expect(vendors.kraken.sent.length).toBe(before + 1);
    // The person has taken the keys back, or they are too old: another one is made.
    vendors.kraken.keys.clear();
    expect((await client.get<Account[]>(at(), { expect: 200 })).body).toHaveLength(1);
    expect(vendors.kraken.keys.size).toBe(1);
  });

  it('say what is missing: no link, a disabled exchange, a scope, a revoked token', async () => {
    const { jwt } = await world.signIn(newEmail());
    const stranger = new TestClient(test.url, jwt);
    const path = world.sdk('/exchange/coinbase/accounts');
    expect((await stranger.get<Refusal>(path, { expect: 404 })).body.code).toBe('exchange_not_linked');
    const own = await World.create(test);
    const person = new TestClient(test.url, (await own.signIn(newEmail())).jwt);
    expect((await person.get<Refusal>(own.sdk('/exchange/kraken/accounts'), { expect: 422 })).body.code).toBe(
      'exchange_not_available',
    );
    await person.get(own.sdk('/exchange/binance/accounts'), { expect: 404 });
    const { client, at } = await holder('coinbase');
    vendors.coinbase.mood = 'no-scope';
    expect((await client.get<Refusal>(at(), { expect: 422 })).body.code).toBe('exchange_scope_missing');
    vendors.coinbase.mood = 'well';
    vendors.moods.set('coinbase', 'garbage');
    expect((await client.get<Refusal>(at(), { expect: 503 })).body.code).toBe('vendor_unavailable');
    vendors.moods.set('coinbase', 'down');
    await client.get(at(), { expect: 503 });
  });

  it('are inaccessible once the provider they are linked by is disabled, and no payout is sent', async () => {
    const own = await World.create(test);
    await enableExchange(own, 'coinbase');
    const { client, at, pay } = await holder('coinbase', randomBytes(16).toString('hex'), own);
    const { providers } = (
      await own.owner.get<{ providers: { id: string; provider: string }[] }>(own.path('/settings/providers'), {
        expect: 200,
      })
    ).body;
    const { id } = providers.find(({ provider }) => provider === 'coinbasesocial')!;
    const request = payout();
    const expectClosed = async () => {
      expect((await client.get<Refusal>(at(), { expect: 422 })).body.code).toBe('exchange_not_available');
      expect((await pay(request, 422)).body.code).toBe('exchange_not_available');
    };
    await own.owner.put(`/settings/providers/${id}/disable`, undefined, { expect: 200 });
    await expectClosed();
    await own.owner.put(`/settings/providers/${id}/enable`, undefined, { expect: 200 });
    await client.get(at(), { expect: 200 });
    await own.owner.delete(`/settings/providers/${id}`, { expect: 204 });
    await expectClosed();
    expect(sentTo(request.to)).toEqual([]);
  });

  it.each(['', '/transactions', '/transfer/destinations'])(
    'get 503 while the exchange is unavailable: accounts%s',
    async (what) => {
      const { client, at } = await holder('kraken');
      vendors.moods.set('kraken', 'down');
      expect((await client.get<Refusal>(at(what), { expect: 503 })).body.code).toBe('vendor_unavailable');
    },
  );
});

describe('a payout', () => {
  it('requires a fresh proof, and is stored, sent once and published', async () => {
    const { client, at, account, pay, userId } = await holder('coinbase');
    const request = payout();
    const path = at(`/${account.id}/transfer`);
    expect((await client.post<Refusal>(path, request, { expect: 403 })).body.code).toBe('fresh_proof_required');
    expect(sentTo(request.to)).toEqual([]);
    const { body } = await pay(request);
    expect(body).toMatchObject({
      id: request.id,
      exchangeAccountId: account.id,
      status: 'pending',
      amount: 0.25,
      currency: 'ETH',
    });
    expect(sentTo(request.to)).toEqual([expect.objectContaining({ idem: request.id, amount: '0.25' })]);
    expect((await pay(request)).body).toEqual(body);
    expect(sentTo(request.to)).toHaveLength(1);
    const told = (await eventsOf(test, world.environmentId)).filter(
      ({ data }) => (data as { id?: string }).id === request.id,
    );
    expect(told.map(({ name }) => name)).toEqual(['exchangeTransfer.created', 'exchangeTransfer.updated']);
    expect(told[1]!.data).toMatchObject({ userId, status: 'pending', exchange: 'coinbase' });
    expect(JSON.stringify(told)).not.toContain(request.to);
  });

  it('that was settled is answered again, although the exchange is down or disabled or no longer linked', async () => {
    const own = await World.create(test);
    await enableExchange(own, 'coinbase');
    const { pay, userId } = await holder('coinbase', randomBytes(16).toString('hex'), own);
    const [sent, refused] = [payout(), payout()];
    const { body } = await pay(sent);
    vendors.coinbase.mood = 'no-funds';
    await pay(refused, 422);
    vendors.coinbase.mood = 'well';
    const expectSame = async () => {
      expect((await pay(sent)).body).toEqual(body);
      expect((await pay(refused, 422)).body.code).toBe('invalid_transfer_funds');
    };
    vendors.moods.set('coinbase', 'down');
    await expectSame();
    vendors.moods.delete('coinbase');
    await rowsOf(test, 'UPDATE exchanges SET enabled_at = NULL WHERE environment_id = $1', [own.environmentId]);
    expect((await pay(payout(), 422)).body.code).toBe('exchange_not_available');
    await expectSame();
    await rowsOf(test, 'UPDATE exchanges SET enabled_at = now() WHERE environment_id = $1', [own.environmentId]);
    await rowsOf(test, 'DELETE FROM oauth_tokens WHERE environment_id = $1 AND user_id = $2', [
      own.environmentId,
      userId,
    ]);
    expect((await pay(payout(), 404)).body.code).toBe('exchange_not_linked');
    await expectSame();
    expect(sentTo(sent.to)).toHaveLength(1);
  });

  it('that was settled stays so, whatever a slower query at the exchange says', async () => {
    const { pay } = await holder('coinbase');
    const one = payout();
    await pay(one);
    expect(await statesOf(one.id)).toEqual(['sent']);
    const told = async () => (await eventsOf(test, world.environmentId)).length;
    const before = await told();
    const late = await test.app.get(PayoutSettlement).settle(world.environmentId, one.id, { state: 'not_sent' });
    expect(late.state).toBe('sent');
    expect(await statesOf(one.id)).toEqual(['sent']);
    expect(await told()).toBe(before);
  });

  it.each([
    ['whose connection breaks', 'takes-and-dies'],
    ['whose name cannot be stored', 'takes-and-garbles'],
    ['whose name is too long to be one', 'takes-and-rambles'],
  ] as const)('%s after the exchange accepted it is not sent again, also by fifty at once', async (_, mood) => {
    const { pay } = await holder('coinbase');
    const request = payout();
    vendors.coinbase.mood = mood;
    expect((await pay(request)).body.status).toBe('unknown');
    expect(sentTo(request.to)).toHaveLength(1);
    vendors.coinbase.mood = 'well';
    const answers = await Promise.all(Array.from({ length: 50 }, () => pay(request)));
    expect(new Set(answers.map(({ body }) => body.status))).toEqual(new Set(['completed']));
    expect(sentTo(request.to)).toHaveLength(1);
  });

  it('requested by fifty concurrent calls is sent once, with an id and without', async () => {
    const { pay, at, account, client, headers } = await holder('coinbase');
    const named = payout();
    const answers = await Promise.all(Array.from({ length: 50 }, () => pay(named)));
    expect(new Set(answers.map(({ body }) => body.id))).toEqual(new Set([named.id]));
    expect(sentTo(named.to)).toHaveLength(1);
    const { id: _, ...nameless } = payout();
    vendors.coinbase.mood = 'takes-and-dies';
    const path = at(`/${account.id}/transfer`);
    const all = await Promise.all(Array.from({ length: 50 }, () => client.post<Transfer>(path, nameless, { headers })));
    const first = all.filter(({ status }) => status === 201);
    expect(first).toHaveLength(1);
    expect(new Set(all.filter(({ status }) => status !== 201).map(({ body }) => body.code))).toEqual(
      new Set(['transfer_open']),
    );
    expect(all.find(({ status }) => status === 422)!.body.payload!.id).toBe(first[0]!.body.id);
    expect(sentTo(nameless.to)).toHaveLength(1);
  });

  it('whose response was lost is not sent again to the same address in other letter case', async () => {
    const { pay } = await holder('coinbase');
    const { id, ...first } = payout();
    vendors.coinbase.mood = 'takes-and-dies';
    expect((await pay({ ...first, id })).body.status).toBe('unknown');
    const others = [first.to.toUpperCase(), `0x${first.to.slice(2).toUpperCase()}`, ` ${first.to} `];
    for (const to of others) {
      const refused = (await pay({ ...first, to }, 422)).body;
      expect([refused.code, refused.payload!.id]).toEqual(['transfer_open', id]);
    }
    expect((await pay({ ...first, id, to: others[1] })).body).toMatchObject({ id, status: 'completed' });
    expect(vendors.coinbase.sent.filter((one) => one.to.toLowerCase().includes(first.to))).toHaveLength(1);
  });

  it('that is open twice in two spellings stays so after the schema treats them as one', async () => {
    const { pay } = await holder('coinbase');
    const [first, second] = [payout(), payout()];
    vendors.coinbase.mood = 'takes-and-dies';
    await pay(first);
    await pay({ ...second, amount: 0.5 });
    const runner = test.app.get(DataSource).createQueryRunner();
    const migration = new CompareRecipientsOfPayouts20261127230001();
    await runner.startTransaction();
    try {
      await migration.down(runner);
      const twice = 'UPDATE exchange_transfers SET recipient = $2, amount = $3 WHERE id = $1';
      await runner.query(twice, [second.id, first.to.toUpperCase(), '0.25']);
      await migration.up(runner);
      const rows = (await runner.query(
        'SELECT id, state, recipient FROM exchange_transfers WHERE id = ANY ($1) ORDER BY created_at',
        [[first.id, second.id]],
      )) as object[];
      expect(rows).toEqual([
        { id: first.id, state: 'unknown', recipient: first.to },
        { id: second.id, state: 'unknown', recipient: `${first.to.toUpperCase()} ` },
      ]);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  });

  it('would be sent more than once if one statement did not decide who writes it', async () => {
    const { pay } = await holder('coinbase');
    const transfers = test.app.get(ExchangeTransfersRepository);
    const { insertIfAbsent } = transfers;
    const request = payout();
    // The planted mistake: whoever finds the row there takes it for its own.
    transfers.insertIfAbsent = async (environmentId, values, tx) =>
      (await insertIfAbsent.call(transfers, environmentId, values, tx)) ??
      (await transfers.find(environmentId, { id: values.id! }, tx));
    try {
      await Promise.all(Array.from({ length: 10 }, () => pay(request)));
    } finally {
      transfers.insertIfAbsent = insertIfAbsent;
    }
    expect(sentTo(request.to).length).toBeGreaterThan(1);
  });

  it('written by a process that ended is looked up and never sent', async () => {
    const { pay, userId, account, accessToken } = await holder('coinbase');
    const [lost, taken] = [payout(), payout()];
    const [credential] = await rowsOf<{ id: string }>(
      test,
      'SELECT id FROM credentials WHERE user_id = $1 AND oauth_provider IS NOT NULL',
      [userId],
    );
    for (const one of [lost, taken]) {
      await rowsOf(
        test,
        `INSERT INTO exchange_transfers (environment_id, id, user_id, credential_id, exchange, account_id, vendor_account,
           recipient, amount, currency, state, sent_at, checked_at)
         VALUES ($1, $2, $3, $4, 'coinbase', $5::text::uuid, $5::text, $6, '0.25', 'ETH', 'sending', now() - interval '11 minutes', now() - interval '11 minutes')`,
        [world.environmentId, one.id, userId, credential!.id, account.id, one.to],
      );
    }
    vendors.coinbase.sent.push({
      holder: accessToken,
      id: randomUUID(),
      idem: taken.id,
      to: taken.to,
      amount: '0.25',
      currency: 'ETH',
      at: Date.now(),
    });
    await test.app.get(OpenPayouts).run();
    expect(await statesOf(lost.id)).toEqual(['not_sent']);
    expect(await statesOf(taken.id)).toEqual(['sent']);
    expect((await pay(lost)).body.status).toBe('not_sent');
    expect([sentTo(lost.to), sentTo(taken.to)].map((sent) => sent.length)).toEqual([0, 1]);
  });

  it('is found by its contents if the exchange does not return its idempotency key', async () => {
    const { pay } = await holder('coinbase');
    const request = payout();
    vendors.coinbase.tellsKeys = false;
    vendors.coinbase.mood = 'takes-and-dies';
    await pay(request);
    vendors.coinbase.mood = 'well';
    expect((await pay(request)).body.status).toBe('completed');
    expect(sentTo(request.to)).toHaveLength(1);
  });

  it('is found by the same exchange account once that is linked again', async () => {
    const { pay, userId, accessToken } = await holder('coinbase');
    const request = payout();
    vendors.coinbase.mood = 'takes-and-dies';
    expect((await pay(request)).body.status).toBe('unknown');
    vendors.coinbase.mood = 'well';
    await rowsOf(test, "DELETE FROM credentials WHERE user_id = $1 AND oauth_provider = 'coinbasesocial'", [userId]);
    await addOauthAccount(world, userId, 'coinbasesocial', randomBytes(16).toString('hex'));
    // Somebody else's account there says nothing of it.
    await test.app.get(OpenPayouts).run(0);
    expect(await statesOf(request.id)).toEqual(['unknown']);
    await rowsOf(test, "DELETE FROM credentials WHERE user_id = $1 AND oauth_provider = 'coinbasesocial'", [userId]);
    await addOauthAccount(world, userId, 'coinbasesocial', accessToken);
    expect((await pay(request)).body.status).toBe('completed');
    expect(sentTo(request.to)).toHaveLength(1);
  });

  it('stays unknown while the exchange does not list it, and is not sent twice', async () => {
    const { pay } = await holder('coinbase');
    const request = payout();
    vendors.coinbase.mood = 'dies-before';
    expect((await pay(request)).body.status).toBe('unknown');
    vendors.coinbase.mood = 'well';
    expect((await pay(request)).body.status).toBe('unknown');
    expect((await pay({ ...request, id: randomUUID() }, 422)).body).toMatchObject({
      code: 'transfer_open',
      payload: { id: request.id },
    });
    expect(sentTo(request.to)).toEqual([]);
  });

  it('for which the exchange requires a code is sent with it, once by fifty concurrent calls', async () => {
    const { pay } = await holder('coinbase');
    const request = payout();
    vendors.coinbase.mood = 'asks-for-code';
    expect((await pay(request, 422)).body.code).toBe('transfer_mfa_required');
    expect((await pay(request, 422)).body.code).toBe('transfer_mfa_required');
    expect((await pay({ ...request, mfaCode: '000000' }, 422)).body.code).toBe('transfer_mfa_failed');
    await Promise.all(Array.from({ length: 50 }, () => pay({ ...request, mfaCode: RIGHT_CODE })));
    expect(sentTo(request.to)).toHaveLength(1);
  });

  it.each([
    ['no-funds', 422, 'invalid_transfer_funds'],
    ['too-small', 422, 'transfer_amount_too_small'],
    ['odd', 422, 'unknown_transfer_error'],
    ['oddly-named', 422, 'unknown_transfer_error'],
    ['busy', 503, 'vendor_unavailable'],
  ] as const)('that the exchange refuses (%s) gets %s %s and moves nothing', async (mood, status, code) => {
    const { pay } = await holder('coinbase');
    const request = payout();
    vendors.coinbase.mood = mood;
    expect((await pay(request, status)).body.code).toBe(code);
    expect(await statesOf(request.id)).toEqual(['refused']);
    vendors.coinbase.mood = 'well';
    await pay(request, 422);
    expect(sentTo(request.to)).toEqual([]);
  });

  it('does not become unknown by a code that could not be sent, and accepts one with surrounding spaces', async () => {
    const { pay } = await holder('coinbase');
    const request = payout();
    vendors.coinbase.mood = 'asks-for-code';
    await pay(request, 422);
    for (const mfaCode of ['123456\r\nx: y', '12\u200b3456', '１２３４５６', '  ']) {
      expect((await pay({ ...request, mfaCode }, 422)).body.code).toBe('transfer_mfa_failed');
      expect(await statesOf(request.id)).toEqual(['mfa_required']);
    }
    expect((await pay({ ...request, mfaCode: ` ${RIGHT_CODE}\n` })).body.status).toBe('pending');
    expect(sentTo(request.to)).toHaveLength(1);
  });

  it('that is invalid is refused before the exchange is called', async () => {
    const { pay, client, at, headers } = await holder('coinbase');
    const request = payout();
    expect((await pay({ ...request, amount: 0 }, 422)).body.code).toBe('transfer_amount_too_small');
    // As a number it has lost digits already, and would be another amount.
    expect((await pay({ ...request, amount: 2 ** 53 }, 400)).body.code).toBe('validation_failed');
    expect((await pay({ ...request, currency: 'DOGE' }, 422)).body.code).toBe('invalid_transfer_currency');
    const nowhere = { ...request, networkObject: { chainName: 'EVM', networkId: '424242' } };
    expect((await pay(nowhere, 422)).body.code).toBe('invalid_transfer_network');
    await client.post(at(`/${randomUUID()}/transfer`), request, { expect: 404, headers });
    await pay(request);
    for (const change of [{ amount: 0.5 }, { to: payout().to }, { network: 'base' }]) {
      expect([change, (await pay({ ...request, ...change }, 422)).body.code]).toEqual([change, 'transfer_id_used']);
    }
    const other = await holder('coinbase');
    expect((await other.pay(request, 422)).body.code).toBe('transfer_id_used');
    await client.post(world.sdk(`/exchange/coinbase/accounts/${other.account.id}/transfer`), payout(), {
      expect: 404,
      headers,
    });
  });

  it('from Kraken goes only to addresses that the user has saved there', async () => {
    const { pay } = await holder('kraken');
    const request = { ...payout(), to: KRAKEN_ADDRESS };
    expect((await pay({ ...request, id: randomUUID(), to: '0xnew' }, 422)).body.code).toBe(
      'transfer_address_not_whitelisted',
    );
    expect((await pay({ ...request, id: randomUUID(), network: 'base' }, 422)).body.code).toBe(
      'invalid_transfer_network',
    );
    vendors.kraken.mood = 'asks-for-code';
    expect((await pay(request, 422)).body.code).toBe('transfer_mfa_required');
    expect((await pay({ ...request, mfaCode: RIGHT_CODE })).body.status).toBe('pending');
    vendors.kraken.mood = 'takes-and-dies';
    const another = { ...request, id: randomUUID(), amount: 0.5 };
    const before = vendors.kraken.sent.length;
    expect((await pay(another)).body.status).toBe('unknown');
    vendors.kraken.mood = 'well';
    expect((await pay(another)).body.status).toBe('Pending');
    expect(vendors.kraken.sent.length).toBe(before + 1);
    vendors.kraken.mood = 'fails';
    expect((await pay({ ...request, id: randomUUID(), amount: 0.75 })).body.status).toBe('unknown');
  });
});
