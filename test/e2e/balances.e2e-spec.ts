import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { writeFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Address } from 'viem';
import { Anvil } from '../support/anvil.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { addNetwork, useNodes } from '../support/chain-tenant.js';
import { RATE_ANSWERS, rateAddresses } from '../support/rate-vendors.js';
import { RpcNode } from '../support/rpc-node.js';
import { customNetwork } from '../support/surface/custom-network.js';
import { SolanaNode } from '../support/solana-node.js';
import { VendorServer } from '../support/vendor-server.js';
import { newKey } from '../support/wallet-sign-in.js';
import { newEmail, World } from '../support/world.js';

const EVM = 31_337;
const AWAY = 31_338;
const FIFTY = 31_340;
const SOL = 900;
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const SPAM = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB';
const OWNER = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';
const BITCOIN = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const SUI = `0x${'ab'.repeat(32)}`;

interface Balance {
  address: string;
  symbol: string;
  balance: number;
  exactBalance: string;
  price?: number;
  marketValue?: number;
  isNative: boolean;
}
interface Multichain {
  chainBalances: {
    walletAddress: string;
    networks: { networkId: number; balances?: Balance[]; error?: { code: string } }[];
  }[];
}

let anvil: Anvil;
let node: RpcNode;
let away: RpcNode;
let fifty: RpcNode;
let main: RpcNode;
let optimism: RpcNode;
let solana: SolanaNode;
let vendors: VendorServer;
let test: TestApp;
let world: World;
let folder: string;
let listed: Address;
let unlisted: Address;
let jwt: string;
const alice = newKey().address;

beforeAll(async () => {
  [anvil, solana] = [await (await Anvil.start()).withMulticall(), await SolanaNode.start()];
  node = await RpcNode.before(anvil.url);
  away = await RpcNode.before(anvil.url, AWAY);
  fifty = await RpcNode.before(anvil.url, FIFTY);
  [main, optimism] = [await RpcNode.before(anvil.url, 1), await RpcNode.before(anvil.url, 10)];
  away.mood = 'down';
  listed = await anvil.deploy('Coin', ['USD Coin', 'USDC']);
  unlisted = await anvil.deploy('Coin', ['Visit evil.example', 'FREE']);
  await anvil.send('Coin', listed, 'mint', [alice, 2_500_000n]);
  await anvil.send('Coin', unlisted, 'mint', [alice, 2n ** 70n]);
  await anvil.setBalance(alice, 2n * 10n ** 18n);
  solana.fund(OWNER, 3_000_000_000n);
  solana.mint(MINT, 6);
  solana.mint(SPAM, 2);
  solana.tokenAccount('7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU', { mint: MINT, owner: OWNER, amount: 1_500_000n });
  solana.tokenAccount('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', { mint: SPAM, owner: OWNER, amount: 100n });
  vendors = await VendorServer.start({
    ...RATE_ANSWERS,
    esplora: ({ path }) => ({
      json: {
        address: path.split('/').at(-1),
        chain_stats: { funded_txo_sum: 150_000_000, spent_txo_sum: 30_000_000 },
      },
    }),
    sui: ({ body }) => {
      const { method, params } = JSON.parse(body) as { method: string; params: string[] };
      const coins = [
        { coinType: '0x2::sui::SUI', totalBalance: '5000000000' },
        { coinType: `${SUI}::meme::MEME`, totalBalance: '700' },
        { coinType: `${SUI}::odd::ODD`, totalBalance: '5' },
      ];
      const isOdd = params[0] === `${SUI}::odd::ODD`;
      const facts = { name: params[0], symbol: '\u202eMEME\u0007', decimals: isOdd ? 1e9 : 2 };
      const result = method === 'suix_getAllBalances' ? coins : facts;
      return { json: { jsonrpc: '2.0', id: 1, result } };
    },
    // Its pages are read to the end: the token is on the second one.
    indexer: ({ body }) => {
      const { params } = JSON.parse(body) as { params: [string, string, { pageKey: string }?] };
      const found = { tokenBalances: [{ contractAddress: unlisted, tokenBalance: '0x1' }] };
      const result = params[2]?.pageKey === 'second' ? found : { tokenBalances: [], pageKey: 'second' };
      return { json: { jsonrpc: '2.0', id: 1, result } };
    },
  });
  folder = await mkdtemp(join(tmpdir(), 'lists-'));
  const coins = [listed, ...Array.from({ length: 49 }, () => newKey().address)];
  const tokens = [
    ...coins.map((address, at) => ({ chainId: FIFTY, address, name: `Coin ${at}`, symbol: `C${at}`, decimals: 6 })),
    {
      chainId: EVM,
      address: listed,
      name: 'USD Coin',
      symbol: 'USDC',
      decimals: 6,
      logoURI: 'https://logos.example/usdc.svg',
    },
    { chainId: SOL, address: MINT, name: 'USD Coin', symbol: 'USDC', decimals: 6 },
    { chainId: EVM, address: 'nonsense', name: 'x', symbol: 'x', decimals: 1 },
  ];
  await writeFile(join(folder, 'tokens.json'), JSON.stringify({ name: 'Test', tokens }));
  test = await startTestApp({
    env: {
      ROLE: 'api',
      EGRESS_ALLOW: '127.0.0.1',
      TOKEN_LISTS: join(folder, 'tokens.json'),
      CHAIN_INDEXERS: JSON.stringify({ [`eip155:${AWAY}`]: { balances: `${vendors.origin}/indexer` } }),
      PROVIDER_ADDRESSES: JSON.stringify(rateAddresses(vendors.origin)),
    },
  });
}, 120_000);
afterAll(async () => {
  await test.close();
  const nodes = [node, away, fifty, main, optimism];
  await Promise.all([...nodes.map((each) => each.close()), solana.node.close(), vendors.close(), anvil.close()]);
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  for (const each of [node, away, fifty]) each.forget();
  [node.mood, away.mood] = ['well', 'down'];
  vendors.forget();
  world = await World.create(test);
  await addNetwork(world, 'EVM', EVM, node.url);
  await addNetwork(world, 'EVM', AWAY, away.url);
  await addNetwork(world, 'EVM', FIFTY, fifty.url);
  await addNetwork(world, 'SOL', SOL, solana.node.url);
  // A URL of a tenant's own makes questions of tenants different ones.
  await useNodes(world, {
    EVM: { [EVM]: `${node.url}/?${world.environmentId}`, 1: `${main.url}/?${world.environmentId}` },
    BTC: { 1: `${vendors.origin}/esplora` },
    SUI: { 1: `${vendors.origin}/sui` },
  });
  ({ jwt } = await world.signIn(newEmail()));
});

type Query = Record<string, string | number | boolean> | [name: string, value: string][];
const read = (chain: string, query: Query, expect = 200) =>
  world.anonymous
    .withToken(jwt)
    .get<Balance[] & { code: string }>(
      `${world.sdk(`/chains/${chain}/balances`)}?${String(new URLSearchParams(query as never))}`,
      { expect },
    );
const readMany = async (balanceRequests: object[], more: object = {}) =>
  (
    await world.anonymous
      .withToken(jwt)
      .post<Multichain>(world.sdk('/balances'), { balanceRequests, ...more }, { expect: 200 })
  ).body;

describe('balances of an account', () => {
  it('on EVM are its ether and the tokens of the list, in one request to the node, with prices of listed tokens', async () => {
    const { body } = await read('EVM', { accountAddress: alice, networkId: EVM, includePrices: true });
    expect(body).toEqual([
      expect.objectContaining({ isNative: true, symbol: 'ETH', balance: 2 }),
      expect.objectContaining({
        address: listed,
        balance: 2.5,
        exactBalance: '2500000',
        price: 1,
        logoURI: 'https://logos.example/usdc.svg',
      }),
    ]);
    expect(node.count('eth_call')).toBe(1);
  });

  it('have the price of ether on a network of the catalogue, not where the organization calls its currency so', async () => {
    const own10 = { ...customNetwork('own'), chainId: '10', nativeCurrencySymbol: 'BTC', rpcUrl: optimism.url };
    await world.owner.post(`/organizations/${world.ids.organizationId}/customNetworks`, own10, { expect: 201 });
    const etherOn = async (networkId: number) =>
      (await read('EVM', { accountAddress: alice, networkId, includePrices: true })).body[0]!;
    expect(await etherOn(1)).toMatchObject({ symbol: 'ETH', balance: 2, price: 2000, marketValue: 4000 });
    const own = await etherOn(EVM);
    expect([own.symbol, own.price, own.marketValue]).toEqual(['ETH', undefined, undefined]);
    // Nor where the organization has a currency of its own on a number of the catalogue.
    const other = await etherOn(10);
    expect([other.symbol, other.price]).toEqual(['BTC', undefined]);
  });

  it('show a requested token that is not listed, with every digit and without a price', async () => {
    const { body } = await read('EVM', {
      accountAddress: alice,
      networkId: EVM,
      whitelistedContracts: unlisted,
      includePrices: true,
    });
    const found = body.find(({ address }) => address === unlisted);
    expect(found).toMatchObject({ symbol: 'FREE', exactBalance: String(2n ** 70n) });
    expect(found).not.toHaveProperty('price');
  });

  it('show several requested tokens, whether repeated, as clients of the document do, or with commas', async () => {
    const other = await anvil.deploy('Coin', ['Other', 'OTHER']);
    await anvil.send('Coin', other, 'mint', [alice, 1n]);
    const filler = Array.from({ length: 48 }, () => newKey().address);
    const asked = [unlisted, other, ...filler].map((address): [string, string] => ['whitelistedContracts', address]);
    for (const named of [asked, [['whitelistedContracts', `${unlisted},${other}`] as [string, string]]]) {
      const { body } = await read('EVM', [['accountAddress', alice], ['networkId', String(EVM)], ...named]);
      expect(body.map(({ symbol }) => symbol)).toEqual(expect.arrayContaining(['FREE', 'OTHER']));
    }
    const { body } = await read(
      'EVM',
      [
        ['accountAddress', alice],
        ['accountAddress', alice],
      ],
      400,
    );
    expect(body.code).toBe('validation_failed');
  });

  it('on Solana, Sui and Bitcoin come from the chain, without possible spam', async () => {
    const on = async (chain: string, accountAddress: string, networkId: number, filterSpamTokens = true) =>
      (await read(chain, { accountAddress, networkId, filterSpamTokens })).body.map(({ symbol, exactBalance }) => [
        symbol,
        exactBalance,
      ]);
    expect(await on('SOL', OWNER, SOL)).toEqual([
      ['SOL', '3000000000'],
      ['USDC', '1500000'],
    ]);
    expect(await on('SOL', OWNER, SOL, false)).toContainEqual(['', '100']);
    expect(await on('SUI', SUI, 1)).toEqual([['SUI', '5000000000']]);
    // One that says it has a thousand million decimals is none.
    expect(await on('SUI', SUI, 1, false)).toEqual([
      ['SUI', '5000000000'],
      ['MEME', '700'],
    ]);
    for (const address of [BITCOIN, BITCOIN.toUpperCase()])
      expect(await on('BTC', address, 1)).toEqual([['BTC', '120000000']]);
    expect(vendors.calls.flatMap(({ path }) => (path.startsWith('/esplora') ? [path] : []))).toEqual([
      `/esplora/address/${BITCOIN}`,
    ]);
    await read('BTC', { accountAddress: `${BITCOIN.slice(0, 9)}${BITCOIN.slice(9).toUpperCase()}`, networkId: 1 }, 422);
  });

  it('are those of the chain by the name that clients are told of it', async () => {
    const query = { accountAddress: alice, networkId: EVM };
    expect((await read('evm', query)).body).toEqual((await read('EVM', query)).body);
    expect((await read('bitcoin', { accountAddress: BITCOIN, networkId: 1 })).body[0]).toMatchObject({ symbol: 'BTC' });
    expect((await read('evms', query, 422)).body.code).toBe('chain_not_readable');
  });

  it('on a Bitcoin network of the organization come from the Esplora API that it names', async () => {
    await addNetwork(world, 'BTC', 77, `${vendors.origin}/esplora`);
    const { body } = await read('BTC', { accountAddress: BITCOIN, networkId: 77, includePrices: true });
    expect(body).toMatchObject([{ networkId: 77, symbol: 'tBTC', exactBalance: '120000000', balance: 1.2 }]);
    expect(body[0]).not.toHaveProperty('price');
    expect((await read('BTC', { accountAddress: BITCOIN, networkId: 78 }, 422)).body.code).toBe('unknown_network');
  });

  it('are read once for a hundred concurrent calls, cached, and reread on request', async () => {
    const query = { accountAddress: alice, networkId: EVM };
    await Promise.all(Array.from({ length: 100 }, () => read('EVM', query)));
    await read('EVM', query);
    expect(node.count('eth_call')).toBe(1);
    await anvil.send('Coin', listed, 'mint', [alice, 1n]);
    const balanceOf = async (more = {}) => (await read('EVM', { ...query, ...more })).body[1]?.exactBalance;
    const known = await balanceOf();
    expect(await balanceOf({ forceRefresh: true })).toBe(String(BigInt(known!) + 1n));
    expect(node.count('eth_call')).toBe(2);
  });

  it('of several accounts are in one response, which marks an unreadable network', async () => {
    const { chainBalances } = await readMany([
      { address: alice, chain: 'EVM', networkIds: [EVM, AWAY, 99_999_999] },
      { address: OWNER, chain: 'SOL', networkIds: [SOL] },
    ]);
    expect(
      chainBalances.map(({ networks }) => networks.map(({ networkId, error }) => [networkId, error?.code])),
    ).toEqual([
      [
        [EVM, undefined],
        [AWAY, 'chain_unreadable'],
        [99_999_999, 'unknown_network'],
      ],
      [[SOL, undefined]],
    ]);
    away.mood = 'well';
    const again = await readMany([{ address: alice, chain: 'EVM', networkIds: [AWAY] }], { filterSpamTokens: false });
    // The indexer said where to look, the chain how much there is.
    expect(again.chainBalances[0]!.networks[0]!.balances).toContainEqual(
      expect.objectContaining({ address: unlisted, exactBalance: String(2n ** 70n) }),
    );
  });

  it('of five accounts and fifty tokens take one request to the node, and none again within a minute', async () => {
    const accounts = [alice, ...Array.from({ length: 4 }, () => newKey().address)];
    const requests = accounts.map((address) => ({ address, chain: 'EVM', networkIds: [FIFTY] }));
    const { chainBalances } = await readMany(requests);
    const held = chainBalances.map(({ networks }) => networks[0]!.balances!.map(({ exactBalance }) => exactBalance));
    expect(held[0]![1]).toMatch(/^250000\d$/);
    expect(held.slice(1)).toEqual(Array.from({ length: 4 }, () => ['0']));
    expect(fifty.count('eth_call')).toBe(1);
    await readMany(requests);
    expect(fifty.count('eth_call')).toBe(1);
  });

  it('of a contract that burns all gas do not affect other reads or simulations, however often', async () => {
    const furnace = await anvil.deploy('Furnace');
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const query = { accountAddress: alice, networkId: EVM, whitelistedContracts: `${furnace},${unlisted}` };
      const { body } = await read('EVM', { ...query, forceRefresh: true });
      expect(body.map(({ address }) => address)).toContain(unlisted);
    }
    expect((await read('EVM', { accountAddress: newKey().address, networkId: EVM })).body).toHaveLength(1);
    const payment = { chainId: String(EVM), from: alice, to: newKey().address, value: '1', data: '0x' };
    await world.anonymous.post(world.sdk('/evm/simulateTransaction'), payment, { expect: 200 });
  });

  it('fail as a whole if the response has no field to mark a network', async () => {
    expect((await read('EVM', { accountAddress: newKey().address, networkId: AWAY }, 503)).body.code).toBe(
      'chain_unreadable',
    );
  });

  it('are refused for addresses of another chain, unsupported chains, and invalid networks', async () => {
    expect((await read('SOL', { accountAddress: alice, networkId: SOL }, 422)).body.code).toBe(
      'invalid_account_address',
    );
    for (const chain of ['FLOW', 'constructor', '__proto__', 'toString']) {
      expect((await read(chain, { accountAddress: alice, networkId: 1 }, 422)).body.code).toBe('chain_not_readable');
      expect((await read(chain, { accountAddress: alice }, 422)).body.code).toBe('chain_not_readable');
    }
    expect((await read('EVM', { accountAddress: alice, networkId: 77 }, 422)).body.code).toBe('unknown_network');
    expect((await read('SOL', { accountAddress: OWNER }, 422)).body.code).toBe('unknown_network');
  });

  it('are read for users of the environment only', async () => {
    const { userId } = await world.signIn(newEmail());
    const body = { balanceRequests: [{ address: alice, chain: 'EVM', networkIds: [EVM] }] };
    const ofUser = await world.api.post<Multichain>(world.path(`/users/${userId}/balances`), body, { expect: 200 });
    expect(ofUser.body.chainBalances[0]!.networks[0]!.balances![0]!.balance).toBe(2);
    const other = await World.create(test);
    await other.api.post(other.path(`/users/${userId}/balances`), body, { expect: 404 });
  });
});

describe('tokens of a chain', () => {
  it('are those of the lists, each once, replacing the short list for networks in a list', async () => {
    const { body } = await world.api.get<{ symbol: string; tokenAddresses: object[] }[]>('/chains/EVM/tokens', {
      expect: 200,
    });
    const usdc = body.find(({ symbol }) => symbol === 'USDC')!;
    expect(usdc.tokenAddresses).toContainEqual({ networkId: EVM, contractAddress: listed });
    expect(usdc.tokenAddresses).toContainEqual({
      networkId: 1,
      contractAddress: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    });
    const here = await world.api.get<object[]>(`/chains/EVM/tokens?networkId=${EVM}`, { expect: 200 });
    expect(here.body).toHaveLength(1);
    await world.anonymous.get('/chains/EVM/tokens', { expect: 401 });
    expect((await world.api.get<object[]>('/chains/TON/tokens', { expect: 200 })).body).toEqual([]);
    for (const name of ['evm', 'solana', 'eip155', 'constructor']) {
      const refused = await world.api.get<{ payload: { fields: { field: string }[] } }>(`/chains/${name}/tokens`, {
        expect: 400,
      });
      expect([name, refused.body.payload.fields.map(({ field }) => field)]).toEqual([name, ['chainName']]);
    }
  });
});
