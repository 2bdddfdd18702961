import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { base58 } from '@scure/base';
import { mintEnvironmentId, type ClientOrigin, type EnvironmentId } from '../../src/auth/index.js';
import { Banxa } from '../../src/funding/ramps/banxa.js';
import { CoinbaseOnramp } from '../../src/funding/ramps/coinbase-onramp.js';
import { CoinbaseExchange } from '../../src/funding/transfers/coinbase-exchange.js';
import { KrakenExchange } from '../../src/funding/transfers/kraken-exchange.js';
import { BalancesService } from '../../src/networks/balances/balances.service.js';
import { EXAMPLE_PAYMENT } from '../../src/networks/example-payment.js';
import { FeesService } from '../../src/networks/fees/fees.service.js';
import { HistoryService } from '../../src/networks/history/history.service.js';
import { CurrencyList } from '../../src/networks/rates/currency-list.service.js';
import { ScanService } from '../../src/networks/scan/scan.service.js';
import { SimulationService } from '../../src/networks/simulation/simulation.service.js';
import { decodeTransaction, encodeTransaction } from '../../src/networks/solana/solana-transaction.js';
import { ChainTokens } from '../../src/networks/tokens/chain-tokens.service.js';
import { Metrics } from '../../src/observability/index.js';
import { EnabledProviders, type EnabledProvider } from '../../src/providers/index.js';
import type { TestApp } from '../support/app.js';
import { AskedChains, EVM, INDEXED, SENDER, SOL } from '../support/asked-chains.js';
import { useNodes } from '../support/chain-tenant.js';
import { enableRamp } from '../support/funded-world.js';
import type { MoneyVendors } from '../support/money-vendors.js';
import type { RpcNode } from '../support/rpc-node.js';
import type { VendorServer } from '../support/vendor-server.js';
import { newKey } from '../support/wallet-sign-in.js';
import { newEmail, World } from '../support/world.js';

const HERE: ClientOrigin = { ipAddress: '198.51.100.7', userAgent: null, origin: null };

let chains: AskedChains;
let vendors: VendorServer;
let money: MoneyVendors;
let evm: RpcNode;
let test: TestApp;
let world: World;
let here: EnvironmentId;
let onramp: EnabledProvider;
let banxa: EnabledProvider;

beforeAll(async () => {
  chains = await AskedChains.start();
  ({ vendors, money, evm, test, world } = chains);
  here = mintEnvironmentId(world.environmentId);
  await enableRamp(world, 'coinbaseOnramp');
  await enableRamp(world, 'banxa');
  const providers = test.app.get(EnabledProviders);
  [onramp, banxa] = [(await providers.find(here, 'coinbaseOnramp'))!, (await providers.find(here, 'banxa'))!];
}, 120_000);
afterAll(() => chains?.close());
beforeEach(() => chains.forget());

const evmAddress = (): string => newKey().address;
const solAddress = (): string => base58.encode(randomBytes(32));
const bitcoin = (): string => `bc1q${randomBytes(19).toString('hex')}`;
const sui = (): string => `0x${randomBytes(32).toString('hex')}`;
const person = () => ({ credentialId: randomUUID(), accessToken: randomBytes(16).toString('hex') });
const example = decodeTransaction(Buffer.from(EXAMPLE_PAYMENT, 'base64'));
const payer = example.accounts[0]!;
/** A payment that nobody else makes. */
const payment = (): string => {
  const [own] = example.instructions;
  const accounts = [payer, solAddress(), example.accounts[1]!];
  const instructions = [{ programIndex: 2, accounts: [0, 1], data: own!.data }];
  return Buffer.from(encodeTransaction({ ...example, accounts, instructions })).toString('base64');
};

/** A question of each adapter: made once, and then asked as often as one likes. */
const QUESTIONS: Readonly<Record<string, () => () => Promise<unknown>>> = {
  'balances of a node of EVM': () => balancesOf('EVM', EVM, evmAddress()),
  'balances of a node of Solana': () => balancesOf('SOL', SOL, solAddress()),
  'balances of Esplora': () => balancesOf('BTC', 1, bitcoin()),
  'balances of a node of Sui': () => balancesOf('SUI', 1, sui()),
  'balances of an indexer': () => balancesOf('EVM', INDEXED, evmAddress()),
  'the history of an indexer': () => historyOf('EVM', 1, evmAddress()),
  'the history of a node of Solana': () => historyOf('SOL', SOL, solAddress()),
  'the history of Esplora': () => historyOf('BTC', 1, bitcoin()),
  'a simulation of a transaction': () => {
    const to = evmAddress();
    const request = { chainId: String(EVM), from: SENDER, to, value: '1', data: '0x' };
    return () => test.app.get(SimulationService).evmTransaction(here, request);
  },
  'a simulation of a transaction, judged by a service': () => {
    const to = evmAddress();
    const request = { chainId: '1', from: SENDER, to, value: '1', data: '0x' };
    return () => test.app.get(SimulationService).evmTransaction(here, request);
  },
  'a simulation of a user operation': () => {
    const operation = { sender: evmAddress(), callData: '0x' };
    const request = { chainId: String(EVM), entryPoint: SENDER, value: '0', operation };
    return () => test.app.get(SimulationService).userOperation(here, request);
  },
  'a simulation of a Solana transaction': () => {
    const transactions = [payment()];
    const request = { chain: String(SOL), transactions, accountAddress: payer, method: 'signTransaction' };
    return () => test.app.get(SimulationService).solanaTransactions(here, request);
  },
  'priority fees': () => {
    const request = { transaction: payment(), address: payer };
    return () => test.app.get(FeesService).optimize(here, request);
  },
  'the verdict of a service on a site': () => {
    const url = `https://${randomUUID()}.example/`;
    return () => test.app.get(ScanService).scan(url);
  },
  'the accounts of a person at Coinbase': () => {
    const session = person();
    return () => test.app.get(CoinbaseExchange).accounts(session);
  },
  'the accounts of a person at Kraken': () => {
    const session = person();
    return () => test.app.get(KrakenExchange).accounts(session);
  },
  'the addresses of a person at Kraken': () => {
    const session = person();
    return () => test.app.get(KrakenExchange).destinations(session);
  },
};

function balancesOf(chain: string, networkId: number, accountAddress: string) {
  const query = { networkId, accountAddress };
  return () => test.app.get(BalancesService).ofAccount(here, chain, query, HERE);
}
function historyOf(chain: string, networkId: number, address: string) {
  return () => test.app.get(HistoryService).list(here, chain, address, { networkId, limit: 5 });
}

/** What is asked for once for everybody. */
const ONCE_FOR_ALL: Readonly<Record<string, [ask: () => Promise<unknown>, calls: () => number, expected: number]>> = {
  'rates of three sources': [() => test.app.get(CurrencyList).get(), () => vendors.calls.length, 3],
  'a list of tokens': [() => test.app.get(ChainTokens).list('EVM'), () => vendors.count('tokens'), 1],
  'a list of sites': [() => test.app.get(ScanService).scan('https://evil.example'), () => vendors.count('sites'), 1],
  'the networks of an onramp': [
    () => test.app.get(CoinbaseOnramp).networks(onramp),
    () => money.count('/onramp/buy/options'),
    1,
  ],
  'the coins of an onramp': [
    () => test.app.get(Banxa).link(banxa, { side: 'buy', coin: 'ETH', network: 'ethereum', walletAddress: SENDER }),
    () => money.count('/banxa/coins/buy'),
    1,
  ],
  'the currencies of an exchange': [
    () => test.app.get(CoinbaseExchange).currenciesOn(person(), 'base'),
    () => money.count('/currencies'),
    1,
  ],
};

const hundred = (ask: () => Promise<unknown>): Promise<unknown[]> => Promise.all(Array.from({ length: 100 }, ask));

describe('a hundred who ask the same at once', () => {
  it.each(Object.keys(ONCE_FOR_ALL))('have %s fetched once and cached', async (name) => {
    const [ask, calls, expected] = ONCE_FOR_ALL[name]!;
    await hundred(ask);
    expect(calls()).toBe(expected);
    await ask();
    expect(calls()).toBe(expected);
  });

  it.each(Object.keys(QUESTIONS))('cause as many outbound calls as one caller: %s', async (name) => {
    const question = QUESTIONS[name]!;
    // Which network a node is of, and prices, are known by then.
    await question()();
    const before = chains.outgoing();
    await question()();
    const alone = chains.outgoing() - before;
    await hundred(question());
    expect([alone > 0, chains.outgoing() - before - alone]).toEqual([true, alone]);
  });

  it('would cause more if queries were not shared', async () => {
    const question = QUESTIONS['balances of Esplora']!;
    await Promise.all(Array.from({ length: 5 }, () => question()()));
    expect(vendors.count('esplora')).toBe(5);
  });

  it('use every vendor, and the metrics have each of them', async () => {
    for (const [ask] of Object.values(ONCE_FOR_ALL)) await ask();
    for (const question of Object.values(QUESTIONS)) await question()();
    const metrics = await test.app.get(Metrics).collect();
    const seen = (series: string) =>
      metrics.find(({ name }) => name === series)!.values.map(({ labels }) => (labels as { vendor: string }).vendor);
    const all = [
      ...['coinbase', 'coingecko', 'ecb', 'token-list', 'site-list', 'blockaid', 'balances-indexer', 'history-indexer'],
      ...['esplora', 'sui-node', 'evm-node', 'solana-node', 'coinbaseOnramp', 'banxa'],
      ...['coinbase-accounts', 'coinbase-currencies', 'kraken'],
    ];
    for (const series of ['gatehouse_vendor_answers_total', 'gatehouse_vendor_last_answer_seconds'])
      expect(seen(series).sort()).toEqual(all.sort());
    expect(seen('gatehouse_vendor_quota_left')).toContain('blockaid');
  });
});

describe('balances that are read anew', () => {
  it('are reread ten times a minute for each address, and read from the cache any number of times', async () => {
    const query = { networkId: EVM, accountAddress: evmAddress() };
    const client = { ...HERE, ipAddress: '203.0.113.9' };
    const read = (forceRefresh: boolean) =>
      test.app.get(BalancesService).ofAccount(here, 'EVM', { ...query, forceRefresh }, client);
    for (let time = 0; time < 10; time += 1) await read(true);
    await expect(read(true)).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(evm.count('eth_getBalance')).toBe(10);
    await read(false);
    expect(evm.count('eth_getBalance')).toBe(10);
  });
});

describe('a node or list that a stranger has chosen', () => {
  it('of Bitcoin, at a path of a shared host, does not open the circuit breaker for others', async () => {
    const [mine, theirs] = [await World.create(test), await World.create(test)];
    await useNodes(mine, { BTC: { 1: `${vendors.origin}/tokens` } });
    await useNodes(theirs, { BTC: { 1: `${vendors.origin}/esplora` } });
    const read = (of: World) =>
      test.app
        .get(BalancesService)
        .ofAccount(mintEnvironmentId(of.environmentId), 'BTC', { networkId: 1, accountAddress: bitcoin() }, HERE);
    for (let time = 0; time < 6; time += 1)
      await expect(read(mine)).rejects.toMatchObject({ code: 'vendor_unavailable' });
    expect((await read(theirs))[0]).toMatchObject({ exactBalance: '3' });
  });

  it('that is of another network is not believed', async () => {
    const own = await World.create(test);
    await useNodes(own, { EVM: { 10: evm.url } });
    const asked = test.app.get(BalancesService).ofAccounts(mintEnvironmentId(own.environmentId), {
      balanceRequests: [{ address: SENDER, chain: 'EVM', networkIds: [10] }],
    });
    expect((await asked).chainBalances[0]!.networks).toEqual([
      { networkId: 10, error: expect.objectContaining({ code: 'chain_unreadable' }) },
    ]);
    expect(evm.count('eth_getBalance')).toBe(0);
  });
});

describe('five accounts in one question', () => {
  it('on five chains are each answered by their own chain, and unreadable ones are marked in place', async () => {
    const { jwt } = await world.signIn(newEmail());
    const balanceRequests = [
      { address: SENDER, chain: 'EVM', networkIds: [EVM, 424_242] },
      { address: payer, chain: 'SOL', networkIds: [SOL] },
      { address: bitcoin(), chain: 'BTC', networkIds: [1] },
      { address: sui(), chain: 'SUI', networkIds: [1] },
      { address: evmAddress(), chain: 'EVM', networkIds: [INDEXED] },
    ];
    vendors.moods.set('sui', 'garbage');
    vendors.moods.set('balances', 'rate-limited');
    const { body } = await world.anonymous.withToken(jwt).post<{
      chainBalances: {
        walletAddress: string;
        networks: { networkId: number; balances?: { exactBalance: string }[]; error?: { code: string } }[];
      }[];
    }>(world.sdk('/balances'), { balanceRequests }, { expect: 200 });
    expect(
      body.chainBalances.map(({ networks }) =>
        networks.map(({ networkId, balances, error }) => [networkId, error?.code ?? balances![0]!.exactBalance]),
      ),
    ).toEqual([
      [
        [EVM, '0'],
        [424_242, 'unknown_network'],
      ],
      [[SOL, '7']],
      [[1, '3']],
      [[1, 'vendor_unavailable']],
      [[INDEXED, 'vendor_unavailable']],
    ]);
    expect(body.chainBalances.map(({ walletAddress }) => walletAddress)).toEqual(
      balanceRequests.map(({ address }) => address),
    );
    const six = { balanceRequests: [...balanceRequests, balanceRequests[0]!] };
    await world.anonymous.withToken(jwt).post(world.sdk('/balances'), six, { expect: 400 });
  });
});
