import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { encodeFunctionData, erc20Abi, type Address } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { EnvironmentId } from '../../src/auth/index.js';
import { Clock } from '../../src/common/clock.js';
import { EgressPolicy, GuardedDispatcher, OutboundHttp } from '../../src/outbound/index.js';
import { RpcChainReader } from '../../src/networks/rpc/rpc-chain-reader.js';
import type { RpcNetwork, RpcNetworks } from '../../src/networks/rpc/rpc-networks.js';
import { RpcTransport } from '../../src/networks/rpc/rpc-transport.js';
import type { VendorFigures } from '../../src/observability/index.js';
import { Anvil } from '../support/anvil.js';
import { RpcNode, type Mood } from '../support/rpc-node.js';
import { SolanaNode, TOKEN_2022 } from '../support/solana-node.js';

const HERE = 'e' as EnvironmentId;
const OTHER = 'f' as EnvironmentId;
const NUMBER = 31_337;
const SOLANA = { chain: 'SOL', networkId: 900 };
const [MINT, MINT_2022, OWNER, STRANGER] = [
  'So11111111111111111111111111111111111111112',
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T',
  '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
];

const FIGURES = { answered: () => undefined, failed: () => undefined } as Partial<VendorFigures> as VendorFigures;

class MovedClock extends Clock {
  ahead = 0;
  override timestamp(): number {
    return super.timestamp() + this.ahead;
  }
}

let anvil: Anvil;
let node: RpcNode;
let spare: RpcNode;
let solana: SolanaNode;
let token: Address;
let furnace: Address;
const alice = privateKeyToAccount(generatePrivateKey()).address;
const bob = privateKeyToAccount(generatePrivateKey()).address;

beforeAll(async () => {
  anvil = await (await Anvil.start()).withMulticall();
  [node, spare, solana] = [await RpcNode.before(anvil.url), await RpcNode.before(anvil.url), await SolanaNode.start()];
  token = await anvil.deploy('Erc20', [18]);
  furnace = await anvil.deploy('Furnace');
  await anvil.send('Erc20', token, 'set', [alice, 2n ** 200n]);
  await anvil.setBalance(bob, 5n * 10n ** 18n);
}, 120_000);
afterAll(async () => {
  await Promise.all([node.close(), spare.close(), solana.node.close()]);
  await anvil.close();
});

let policy: EgressPolicy;
let outbound: OutboundHttp;
let clock: MovedClock;
let reader: RpcChainReader;

function readerOf(urls: string[], more: Partial<RpcNetwork> = {}): RpcChainReader {
  const evm: RpcNetwork = {
    ...{ key: `evm ${urls.join(' ')}`, family: 'evm', name: 'anvil', nativeDecimals: 18, nativeSymbol: 'ETH', urls },
    identity: `0x${NUMBER.toString(16)}`,
    ...more,
  };
  const sol = { ...evm, key: 'sol', family: 'solana' as const, urls: [solana.node.url], identity: null };
  const networks = { get: async (_: EnvironmentId, { chain }: { chain: string }) => (chain === 'SOL' ? sol : evm) };
  return new RpcChainReader(
    networks as Partial<RpcNetworks> as RpcNetworks,
    new RpcTransport(outbound, clock, FIGURES),
    clock,
  );
}

beforeEach(() => {
  policy = new EgressPolicy('127.0.0.1', { allowHttp: true, allowIpLiterals: true });
  outbound = new OutboundHttp(policy, new GuardedDispatcher(policy));
  clock = new MovedClock();
  for (const each of [node, spare, solana.node]) {
    each.mood = 'well';
    each.forget();
  }
  reader = readerOf([node.url]);
});
afterEach(() => outbound.close());

const balanceOf = (owner: Address, of: Address = token) => ({
  to: of,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),
});

describe('a chain reader', () => {
  it('reads calls, code, balances and block numbers', async () => {
    expect(BigInt(await reader.call(HERE, NUMBER, balanceOf(alice)))).toBe(2n ** 200n);
    expect((await reader.code(HERE, NUMBER, token)).length).toBeGreaterThan(100);
    expect(await reader.code(HERE, NUMBER, alice)).toBe('0x');
    expect(await reader.balance(HERE, { chain: 'EVM', networkId: NUMBER }, bob)).toBe(5n * 10n ** 18n);
    expect(await reader.blockNumber(HERE, { chain: 'EVM', networkId: NUMBER })).toBeGreaterThan(0n);
  });

  it('distinguishes a contract that reverts from an unreadable chain', async () => {
    const nft = await anvil.deploy('Erc721');
    const data = encodeFunctionData({
      abi: [
        {
          type: 'function',
          name: 'ownerOf',
          inputs: [{ type: 'uint256', name: 'id' }],
          outputs: [],
          stateMutability: 'view',
        },
      ],
      args: [7n],
    });
    await expect(reader.call(HERE, NUMBER, { to: nft, data })).rejects.toMatchObject({
      name: 'CallRevertedError',
      data: expect.stringContaining('6e6f207375636820746f6b656e'),
    });
  });

  it('sends many calls in one request, for one block, and says which reverted', async () => {
    const reads = [
      balanceOf(alice),
      balanceOf(bob),
      { balanceOf: bob },
      balanceOf(alice, alice),
      { to: token, data: '0x' as const },
    ];
    const answers = await reader.multicall(HERE, NUMBER, reads);
    expect(answers.map(({ value }) => value && (value === '0x' ? value : BigInt(value)))).toEqual([
      2n ** 200n,
      0n,
      5n * 10n ** 18n,
      '0x',
      null,
    ]);
    expect(new Set(answers.map(({ blockNumber }) => blockNumber)).size).toBe(1);
    expect(node.count('eth_call')).toBe(1);
  });

  it('works without the multicall contract on networks without one', async () => {
    const bare = await Anvil.start();
    try {
      const own = await bare.deploy('Erc20', [6]);
      await bare.send('Erc20', own, 'set', [bob, 9n]);
      const answers = await readerOf([bare.url]).multicall(HERE, NUMBER, [
        balanceOf(bob, own),
        { balanceOf: alice },
        { to: own, data: '0x' },
      ]);
      expect(answers.map(({ value }) => value && BigInt(value))).toEqual([9n, 0n, null]);
      expect(answers[0]!.blockNumber).toBeGreaterThan(0n);
    } finally {
      await bare.close();
    }
  });

  it('sends one request for a hundred identical concurrent calls', async () => {
    const read = [balanceOf(alice), { balanceOf: bob }];
    const all = await Promise.all(Array.from({ length: 100 }, () => reader.multicall(HERE, NUMBER, read)));
    expect(new Set(all.map(([first]) => first!.value)).size).toBe(1);
    expect(node.count('eth_call')).toBe(1);
    await Promise.all(Array.from({ length: 100 }, () => reader.call(HERE, NUMBER, balanceOf(bob))));
    expect(node.count('eth_call')).toBe(2);
  });

  it('batches requests of one environment, and never those of two', async () => {
    const owners = Array.from({ length: 50 }, () => privateKeyToAccount(generatePrivateKey()).address);
    await Promise.all(owners.map((owner) => reader.multicall(HERE, NUMBER, [balanceOf(owner)])));
    expect(node.count('eth_call')).toBe(1);
    const hot = reader.multicall(OTHER, NUMBER, [{ to: furnace, data: '0x01' }, balanceOf(bob)]);
    const calm = reader.multicall(HERE, NUMBER, [balanceOf(bob, furnace), { balanceOf: alice }].slice(1));
    expect((await calm)[0]!.value).toMatch(/^0x0{64}$/);
    await hot.catch(() => undefined);
  });

  it('gets every result except that of a contract that burns all gas, however often it is called', async () => {
    for (let time = 0; time < 6; time++) {
      const owner = privateKeyToAccount(generatePrivateKey()).address;
      const reads = [balanceOf(owner, furnace), balanceOf(alice), balanceOf(alice, furnace), { balanceOf: bob }];
      const answers = await reader.multicall(HERE, NUMBER, reads);
      expect(answers.map(({ value }) => value && BigInt(value))).toEqual([null, 2n ** 200n, null, 5n * 10n ** 18n]);
    }
  });

  it('caches an answer for a minute, and no longer', async () => {
    const own = await anvil.deploy('Erc20', [0]);
    const read = async () => BigInt((await reader.multicall(HERE, NUMBER, [balanceOf(bob, own)]))[0]!.value!);
    expect(await read()).toBe(0n);
    await anvil.send('Erc20', own, 'set', [bob, 1n]);
    clock.ahead += 59_000;
    expect(await read()).toBe(0n);
    clock.ahead += 2_000;
    expect(await read()).toBe(1n);
  });

  it('gives viem a client that verifies signatures and sends nothing', async () => {
    const key = privateKeyToAccount(generatePrivateKey());
    const client = await reader.evmClient(HERE, NUMBER);
    const signature = await key.signMessage({ message: 'hello' });
    expect(await client.verifyMessage({ address: key.address, message: 'hello', signature })).toBe(true);
    expect(await client.verifyMessage({ address: key.address, message: 'other', signature })).toBe(false);
    const request = client.request as (call: object) => Promise<unknown>;
    await expect(request({ method: 'eth_sendRawTransaction', params: ['0x00'] })).rejects.toThrow('does not do');
    expect(node.count('eth_sendRawTransaction')).toBe(0);
  });
});

describe('a node that fails', () => {
  it.each<[Mood, string]>([
    ['down', 'unreachable'],
    ['garbage', 'garbage'],
    ['html', 'garbage'],
    ['oversize', 'oversize'],
    ['rate-limited', 'rate_limited'],
    ['limit-code', 'rate_limited'],
    ['fault', 'garbage'],
    ['wrong-id', 'garbage'],
  ])('by being %s leaves the chain unreadable: %s', async (mood, reason) => {
    await reader.code(HERE, NUMBER, bob);
    node.mood = mood;
    const read = reader.multicall(HERE, NUMBER, [balanceOf(alice)]);
    await expect(read).rejects.toMatchObject({ name: 'ChainUnreadableError', reason });
    await expect(read).rejects.not.toThrow(new RegExp(node.url));
    node.mood = 'well';
    // Nothing of it is remembered.
    expect((await reader.multicall(HERE, NUMBER, [balanceOf(alice)]))[0]!.value).not.toBeNull();
  });

  it.each<Mood>(['down', 'garbage', 'oversize', 'rate-limited', 'fault'])(
    'by being %s is replaced by the other one',
    async (mood) => {
      node.mood = mood;
      const [answer] = await readerOf([node.url, spare.url]).multicall(HERE, NUMBER, [balanceOf(alice)]);
      expect(BigInt(answer!.value!)).toBe(2n ** 200n);
    },
  );

  it('by not responding costs at most five seconds, and three if there is another', async () => {
    node.mood = 'silent';
    const sent = jest.spyOn(outbound, 'send');
    // What it is given, and not what went by: this process may have stood still.
    const given = (): number =>
      sent.mock.calls.reduce((sum, [{ url, timeoutMs }]) => sum + (url === node.url ? timeoutMs! : 0), 0);
    await expect(reader.code(HERE, NUMBER, alice)).rejects.toMatchObject({ reason: 'timeout' });
    expect(given()).toBeLessThanOrEqual(5_000);
    sent.mockClear();
    jest.spyOn(clock, 'timestamp').mockReturnValue(clock.timestamp());
    expect(await readerOf([node.url, spare.url]).code(HERE, NUMBER, alice)).toBe('0x');
    expect(given()).toBeGreaterThan(0);
    expect(given()).toBeLessThanOrEqual(3_000);
  });

  it('of another chain is not believed', async () => {
    const wrong = readerOf([node.url], { identity: '0x1' });
    await expect(wrong.balance(HERE, { chain: 'EVM', networkId: 1 }, bob)).rejects.toMatchObject({
      reason: 'wrong_chain',
    });
    expect(node.count('eth_getBalance')).toBe(0);
  });

  it('that names its chain in another form is not believed either', async () => {
    const peer = await RpcNode.start(() => ({ result: { toString: null } }));
    const odd = readerOf([peer.url], { identity: '0x1' });
    await expect(odd.balance(HERE, { chain: 'EVM', networkId: 1 }, bob)).rejects.toMatchObject({
      reason: 'wrong_chain',
    });
    await peer.close();
  });

  it('five times in a row is not used for ten seconds, then tried once', async () => {
    node.mood = 'fault';
    for (let time = 0; time < 5; time++) await reader.code(HERE, NUMBER, alice).catch(() => undefined);
    const asked = node.requests;
    await expect(reader.code(HERE, NUMBER, alice)).rejects.toMatchObject({ reason: 'unreachable' });
    expect(node.requests).toBe(asked);
    node.mood = 'well';
    clock.ahead += 10_001;
    expect(await reader.code(HERE, NUMBER, alice)).toBe('0x');
  });

  it('by responses that are too long does not open the circuit breaker: strangers choose what is read', async () => {
    await reader.code(HERE, NUMBER, bob);
    node.mood = 'oversize';
    for (let time = 0; time < 8; time++)
      await expect(reader.code(HERE, NUMBER, alice)).rejects.toMatchObject({ reason: 'oversize' });
    node.mood = 'well';
    expect(await reader.code(HERE, NUMBER, alice)).toBe('0x');
  });

  it('because of requests in one environment is still available to another', async () => {
    const apart = { apart: true };
    const read = (environmentId: EnvironmentId) => reader.multicall(environmentId, NUMBER, [balanceOf(alice)], apart);
    node.mood = 'fault';
    for (let time = 0; time < 5; time++) await read(HERE).catch(() => undefined);
    node.mood = 'well';
    await expect(read(HERE)).rejects.toMatchObject({ reason: 'unreachable' });
    expect(BigInt((await read(OTHER))[0]!.value!)).toBe(2n ** 200n);
  });

  it('at a private address is never called', async () => {
    policy = new EgressPolicy('', { allowHttp: true, allowIpLiterals: true });
    await outbound.close();
    outbound = new OutboundHttp(policy, new GuardedDispatcher(policy));
    await expect(readerOf([node.url]).code(HERE, NUMBER, alice)).rejects.toMatchObject({ reason: 'unreachable' });
    expect(node.requests).toBe(0);
  });
});

describe('a chain reader on Solana', () => {
  beforeAll(() => {
    solana.fund(OWNER, 3_000_000_000n);
    solana.mint(MINT, 6);
    solana.mint(MINT_2022, 0, TOKEN_2022);
    solana.tokenAccount('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM', {
      mint: MINT,
      owner: OWNER,
      amount: 2n ** 60n,
    });
    solana.tokenAccount('2q7pyhPwAwZ3QMfZrnAbDhnh9mDUqycszcpf86VgQxhF', { mint: MINT, owner: OWNER, amount: 5n });
    const held = { mint: MINT_2022, owner: OWNER, amount: 1n };
    solana.tokenAccount('GThUX1Atko4tqhN2NaiTazWSeFWMuiUvfFnyJyUghFMJ', held, TOKEN_2022);
  });

  it('reads lamports, mints, and holdings of both token programs, in one request', async () => {
    const [balances, mints, holdings] = await Promise.all([
      reader.solBalances(HERE, SOLANA, [OWNER, STRANGER]),
      reader.mints(HERE, SOLANA, [MINT, MINT_2022, STRANGER, OWNER]),
      reader.tokenHoldings(HERE, SOLANA, [
        { owner: OWNER, mint: MINT },
        { owner: OWNER, mint: MINT_2022 },
        { owner: STRANGER, mint: MINT },
      ]),
    ]);
    expect(balances.map(({ value }) => value)).toEqual([3_000_000_000n, 0n]);
    expect(mints.map(({ value }) => value?.decimals ?? null)).toEqual([6, 0, null, null]);
    expect(holdings.map(({ value }) => value)).toEqual([
      { amount: 2n ** 60n + 5n, accounts: 2 },
      { amount: 1n, accounts: 1 },
      { amount: 0n, accounts: 0 },
    ]);
    expect(solana.node.requests).toBe(1);
  });

  it('stays usable although it refuses to return some accounts', async () => {
    const choosy = await RpcNode.start(({ params }) =>
      params[0] === STRANGER
        ? { error: { code: -32010, message: 'excluded from account secondary indexes' } }
        : { result: { context: { slot: 1 }, value: [] } },
    );
    const networks = { get: async () => ({ ...BARE, urls: [choosy.url] }) };
    const asking = new RpcChainReader(networks as never, new RpcTransport(outbound, clock, FIGURES), clock);
    for (let time = 0; time < 8; time++)
      await expect(asking.tokensOfOwner(HERE, SOLANA, STRANGER)).rejects.toMatchObject({ reason: 'garbage' });
    expect((await asking.tokensOfOwner(HERE, SOLANA, OWNER)).value.size).toBe(0);
    await choosy.close();
  });

  it('does not believe a node that returns accounts of somebody else', async () => {
    const liar = await RpcNode.start(({ params }) => {
      const data = Buffer.alloc(165, 1).toString('base64');
      const account = { owner: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', data: [data, 'base64'] };
      return { result: { context: { slot: 1 }, value: [{ pubkey: params[0], account }] } };
    });
    const networks = { get: async () => ({ ...BARE, urls: [liar.url] }) };
    const lied = new RpcChainReader(networks as never, new RpcTransport(outbound, clock, FIGURES), clock);
    await expect(lied.tokenHoldings(HERE, SOLANA, [{ owner: OWNER, mint: MINT }])).rejects.toMatchObject({
      reason: 'garbage',
    });
    await liar.close();
  });
});

const BARE: Omit<RpcNetwork, 'urls'> = {
  ...{ key: 'liar', family: 'solana', name: 'liar', nativeDecimals: 9, nativeSymbol: 'SOL', identity: null },
};
