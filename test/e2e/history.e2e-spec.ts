import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { base58 } from '@scure/base';
import { randomBytes } from 'node:crypto';
import { VendorClient } from '../../src/networks/index.js';
import type { ListedToken } from '../../src/networks/tokens/token-list.js';
import { TokenLists } from '../../src/networks/tokens/token-lists.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { addNetwork, useNodes } from '../support/chain-tenant.js';
import { stayOnLoopback } from '../support/loopback.js';
import { RpcNode } from '../support/rpc-node.js';
import { VendorServer } from '../support/vendor-server.js';
import { newEmail, World } from '../support/world.js';

interface Page {
  transactions: {
    transactionHash: string;
    blockNumber: number;
    blockHash: string;
    transactionTimestamp: string;
    labels: string[];
    assetTransfers: { tokenAddress?: string; amount: number; metadata?: { symbol?: string; imageUri?: string } }[];
    blockExplorerUrls: string[];
  }[];
  nextOffset?: string;
  code?: string;
}

const ALICE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const BOB = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const TOKEN = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB';
const BITCOIN = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const SOLANA = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';
const OTHER = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';
const hash = (n: number): string => `0x${String(n).padStart(64, '0')}`;

/** Blocks 1 to 9, with a payment in each and two in block 5; tokens come in block 8. */
const PAYMENTS = [9, 8, 7, 6, 5, 5.5, 4, 3, 2, 1].map((n) => ({
  ...{
    blockNumber: String(Math.floor(n)),
    timeStamp: String(1_700_000_000 + n * 10),
    hash: hash(n * 10),
    blockHash: hash(900 + Math.floor(n)),
  },
  ...{
    from: n % 2 ? ALICE : BOB,
    to: n % 2 ? BOB : ALICE,
    value: String(BigInt(n * 10) * 10n ** 17n),
    isError: n === 3 ? '1' : '0',
  },
}));
const TOKENS = [
  {
    ...{
      blockNumber: '8',
      timeStamp: '1700000080',
      hash: hash(80),
      blockHash: hash(908),
      from: ALICE,
      to: BOB,
      value: '2500000',
    },
    ...{ contractAddress: TOKEN, tokenName: 'USD Coin\u0000', tokenSymbol: '\u202eUSDC\n', tokenDecimal: '6' },
  },
];

let vendors: VendorServer;
let node: RpcNode;
let test: TestApp;
let world: World;
let jwt: string;
let refusal: string | null = null;
interface Odd {
  meta?: object;
  keys?: string[];
  signature?: object;
  row?: object;
  output?: object;
  confirmed?: object;
  more?: number;
  /** What a node says of a transaction or block that it no longer has; by method, of those that begin with a text. */
  lost?: { method: string; start: string; reply: object };
}
/** What is odd in the next answers: it takes the place of what stands there. */
let odd: Odd = {};

beforeAll(async () => {
  vendors = await VendorServer.start({
    indexer: ({ query }) => {
      if (refusal) return { json: { status: '0', message: 'NOTOK', result: refusal } };
      const end = Number(query.get('endblock') ?? Infinity);
      const all = (query.get('action') === 'txlist' ? PAYMENTS : TOKENS).filter(
        ({ blockNumber }) => Number(blockNumber) <= end,
      );
      const result = all.slice(0, Number(query.get('offset'))).map((row) => ({ ...row, ...odd.row }));
      return { json: { status: result.length > 0 ? '1' : '0', message: 'OK', result } };
    },
    esplora: ({ path }) => {
      const last = /chain\/(.+)$/.exec(path)?.[1];
      const of = (n: number, change: number) => ({
        txid: String(n).padStart(64, '0'),
        ...odd.confirmed,
        vin: [{ prevout: { scriptpubkey_address: change > 0 ? 'bc1qother' : BITCOIN, value: 500_000_000 } }],
        vout: [
          { scriptpubkey_address: change > 0 ? BITCOIN : 'bc1qother', value: Math.abs(change), ...odd.output },
          { scriptpubkey_address: change > 0 ? 'bc1qother' : BITCOIN, value: 500_000_000 - Math.abs(change) },
        ],
        status: { confirmed: true, block_height: 800_000 + n, block_hash: 'ab'.repeat(32), block_time: 1_700_000_000 },
      });
      return { json: last ? [of(1, 70_000_000)] : [of(3, 100_000_000), of(2, -50_000_000)] };
    },
  });
  node = await RpcNode.start(({ method, params }) => {
    const signature = (n: number) => String(n).repeat(88).slice(0, 88);
    if (method === 'getSignaturesForAddress') {
      const { limit, before } = params[1] as { limit: number; before?: string };
      const all = [5, 4, 3].map((n) => ({
        signature: signature(n),
        slot: n * 100,
        blockTime: 1_700_000_000 + n,
        err: null,
        ...odd.signature,
      }));
      if (odd.more) return { result: Array.from({ length: odd.more }, (_, n) => ({ ...all[0], slot: n })) };
      return { result: all.filter((each) => !before || each.signature < before).slice(0, limit) };
    }
    if (odd.lost?.method === method && String(params[0]).startsWith(odd.lost.start)) return odd.lost.reply;
    if (method === 'getBlock') return { result: { blockhash: `block${String(params[0])}` } };
    const isIn = String(params[0]).startsWith('4');
    const owner = (amount: string, name: string) => ({
      owner: name,
      mint: OTHER,
      uiTokenAmount: { amount, decimals: 2 },
    });
    return {
      result: {
        blockTime: 1_700_000_000,
        meta: {
          err: null,
          ...(isIn
            ? { preBalances: [10, 5], postBalances: [10, 5] }
            : { preBalances: [5e9, 1e9], postBalances: [3e9, 2.999995e9] }),
          preTokenBalances: isIn ? [owner('500', OTHER)] : [],
          postTokenBalances: isIn ? [owner('300', OTHER), owner('200', SOLANA)] : [],
          ...odd.meta,
        },
        transaction: { message: { accountKeys: odd.keys ?? [SOLANA, OTHER] } },
      },
    };
  });
  const CHAIN_INDEXERS = JSON.stringify({ 'eip155:1': { history: `${vendors.origin}/indexer?apikey=canary-key` } });
  test = await startTestApp({ env: { ROLE: 'api', EGRESS_ALLOW: '127.0.0.1', CHAIN_INDEXERS } });
  stayOnLoopback(test);
  world = await World.create(test);
  await addNetwork(world, 'SOL', 900, node.url);
  await useNodes(world, { BTC: { 1: `${vendors.origin}/esplora` } });
  ({ jwt } = await world.signIn(newEmail()));
});
afterAll(async () => {
  await test.close();
  await Promise.all([vendors.close(), node.close()]);
});
beforeEach(() => {
  vendors.forget();
  refusal = null;
  odd = {};
  const { breaker } = test.app.get<{ breaker: { circuits: Map<string, unknown> } }>(VendorClient);
  breaker.circuits.clear();
});

const read = async (
  chain: string,
  address: string,
  query: Record<string, string | number>,
  expect = 200,
): Promise<Page> => {
  const path = `${world.sdk(`/chains/${chain}/transactions/${address}`)}?${String(new URLSearchParams(query as never))}`;
  return (await world.anonymous.withToken(jwt).get<Page>(path, { expect })).body;
};

describe('the history of an account', () => {
  it('on EVM comes from the indexer, each transaction once, with its tokens', async () => {
    const { transactions, nextOffset } = await read('EVM', ALICE, { networkId: 1, limit: 100 });
    expect(nextOffset).toBeUndefined();
    expect((await read('evm', ALICE, { networkId: 1, limit: 100 })).transactions).toEqual(transactions);
    expect(transactions.map(({ blockNumber }) => blockNumber)).toEqual([9, 8, 7, 6, 5, 5, 4, 3, 2, 1]);
    expect(transactions[0]).toMatchObject({
      ...{
        transactionHash: hash(90),
        blockHash: hash(909),
        transactionTimestamp: '2023-11-14T22:14:50.000Z',
        labels: ['sent'],
      },
      ...{ assetTransfers: [{ amount: 9 }], blockExplorerUrls: [`https://etherscan.io/tx/${hash(90)}`] },
    });
    expect(transactions[1]).toMatchObject({
      labels: ['swap'],
      assetTransfers: [
        { amount: 8 },
        { tokenAddress: TOKEN, amount: 2.5, metadata: { name: 'USD Coin', symbol: 'USDC' } },
      ],
    });
    // One that failed moved nothing.
    expect(transactions.find(({ blockNumber }) => blockNumber === 3)).toMatchObject({ labels: [], assetTransfers: [] });
  });

  it('on EVM has the amounts of tokens with as many decimals as they say', async () => {
    odd = { row: { tokenDecimal: '77', value: `25${'0'.repeat(76)}` } };
    const { transactions } = await read('EVM', ALICE, { networkId: 1, limit: 99 });
    const transfer = { tokenAddress: TOKEN, amount: 2.5, metadata: expect.objectContaining({ decimals: 77 }) };
    expect(transactions[1]!.assetTransfers).toContainEqual(expect.objectContaining(transfer));
  });

  it('has the names and images that a token list has for tokens, whatever they call themselves', async () => {
    const image = 'https://tokens.example/gold.png';
    const gold = { name: 'Gold', symbol: 'GLD', decimals: 6, logoURI: image };
    const listed: ListedToken[] = [
      { chain: 'EVM', networkId: 1, address: TOKEN, ...gold },
      { chain: 'SOL', networkId: 900, address: OTHER, ...gold },
    ];
    const lists = test.app.get(TokenLists);
    const { of } = lists;
    try {
      lists.of = (chain, networkId) =>
        Promise.resolve(listed.filter((token) => token.chain === chain && token.networkId === networkId));
      const [evm, solana] = [
        await read('EVM', ALICE, { networkId: 1, limit: 100 }),
        await read('SOL', SOLANA, { networkId: 900, limit: 9 }),
      ];
      const transfers = [...evm.transactions, ...solana.transactions].flatMap(({ assetTransfers }) => assetTransfers);
      expect(transfers.flatMap(({ metadata }) => metadata ?? [])).toEqual([
        { name: 'Gold', symbol: 'GLD', decimals: 6, imageUri: image },
        { name: 'Gold', symbol: 'GLD', decimals: 2, imageUri: image },
      ]);
    } finally {
      lists.of = of;
    }
  });

  it('on EVM has a creation of a contract that came to nothing, which indexers tell without any addressee', async () => {
    odd = { row: { to: '' } };
    const { transactions } = await read('EVM', ALICE, { networkId: 1, limit: 97 });
    const nobody = '0x0000000000000000000000000000000000000000';
    expect(transactions[0]).toMatchObject({ toAddress: nobody, labels: [], assetTransfers: [] });
  });

  it('on EVM is none where a token that moved has no address', async () => {
    odd = { row: { contractAddress: 0 } };
    expect((await read('EVM', ALICE, { networkId: 1, limit: 98 }, 503)).code).toBe('vendor_unavailable');
  });

  it('on EVM has no missing or repeated entries with any page size', async () => {
    const whole = (await read('EVM', ALICE, { networkId: 1, limit: 100 })).transactions.map(
      (each) => each.transactionHash,
    );
    for (const limit of [1, 2, 3, 4, 7]) {
      const seen: string[] = [];
      let offset: string | undefined;
      do {
        const page = await read('EVM', ALICE, { networkId: 1, limit, ...(offset && { offset }) });
        expect(page.transactions.length).toBeLessThanOrEqual(limit);
        seen.push(...page.transactions.map((each) => each.transactionHash));
        offset = page.nextOffset;
      } while (offset !== undefined);
      expect([limit, seen]).toEqual([limit, whole]);
    }
  });

  it('needs an indexer on EVM, and names the setting for it', async () => {
    const answer = await read('EVM', ALICE, { networkId: 10 }, 422);
    expect([answer.code, JSON.stringify(answer)]).toEqual([
      'indexer_not_configured',
      expect.stringContaining('CHAIN_INDEXERS'),
    ]);
  });

  it('gets 503 if the indexer refuses, without revealing its key', async () => {
    refusal = 'Max rate limit reached for canary-key';
    const answer = await read('EVM', ALICE, { networkId: 1, limit: 9 }, 503);
    expect(answer).toMatchObject({
      code: 'vendor_unavailable',
      payload: { vendor: 'history-indexer', reason: 'rate_limited' },
    });
    expect(JSON.stringify(answer)).not.toContain('canary');
  });

  it('on Bitcoin and Solana comes from their own nodes, page by page', async () => {
    const first = await read('BTC', BITCOIN, { networkId: 1, limit: 1 });
    expect(first.transactions).toMatchObject([
      { blockNumber: 800_003, labels: ['receive'], assetTransfers: [{ amount: 1 }] },
    ]);
    const second = await read('BTC', BITCOIN, { networkId: 1, offset: first.nextOffset! });
    expect(second).toMatchObject({ transactions: [{ blockNumber: 800_001 }] });
    expect(second.nextOffset).toBeUndefined();
    const page = await read('SOL', SOLANA, { networkId: 900, limit: 2 });
    expect(page.transactions).toMatchObject([
      {
        ...{ blockNumber: 500, blockHash: 'block500', labels: ['sent'], assetTransfers: [{ amount: 2 }] },
        blockExplorerUrls: [expect.stringMatching(/^https:\/\/\S+\/tx\/5{88}$/)],
      },
      { blockNumber: 400, labels: ['receive'], assetTransfers: [{ tokenAddress: OTHER, amount: 2 }] },
    ]);
    const rest = await read('SOL', SOLANA, { networkId: 900, limit: 2, offset: page.nextOffset! });
    expect(rest.transactions.map(({ blockNumber }) => blockNumber)).toEqual([300]);
  });

  it('on Solana has no transfer of an account that pays only the fee for what others move', async () => {
    const [payer, others] = [base58.encode(randomBytes(32)), [OTHER, SOLANA]];
    const moved = { preBalances: [9_000, 10, 5e9], postBalances: [4_000, 4e9 + 10, 1e9], fee: 5_000 };
    odd = { keys: [payer, ...others], meta: moved };
    const ofPayer = (await read('SOL', payer, { networkId: 900, limit: 1 })).transactions;
    expect(ofPayer).toMatchObject([{ fromAddress: payer, labels: [], assetTransfers: [] }]);
    const ofOther = (await read('SOL', SOLANA, { networkId: 900, limit: 3 })).transactions;
    expect(ofOther[0]).toMatchObject({ labels: ['sent'], assetTransfers: [{ toAddress: OTHER, amount: 4 }] });
  });

  it.each([
    ['getTransaction', '4', { result: null }],
    ['getTransaction', '4', { error: { code: -32015, message: 'Transaction version (1) is not supported' } }],
    ['getBlock', '4', { error: { code: -32001, message: 'Block 400 cleaned up, does not exist on node' } }],
    ['getBlock', '4', { error: { code: -32009, message: 'Slot 400 was skipped, or missing' } }],
    ['getBlock', '4', { result: null }],
  ])('on Solana has what its node still has (%s of %s: %j)', async (method, start, reply) => {
    odd = { lost: { method, start, reply } };
    const address = base58.encode(randomBytes(32));
    const { transactions } = await read('SOL', address, { networkId: 900, limit: 10 });
    expect(transactions.map(({ blockNumber }) => blockNumber)).toEqual([500, 300]);
    const pages = [];
    let offset: string | undefined = '5'.repeat(88);
    while (offset !== undefined) {
      const page: Page = await read('SOL', address, { networkId: 900, limit: 1, offset });
      pages.push(page.transactions.map(({ blockNumber }) => blockNumber));
      offset = page.nextOffset;
    }
    expect(pages).toEqual([[], [300], []]);
    // Nothing at all would look like an account that has done nothing.
    odd = { lost: { method, start: '', reply } };
    expect((await read('SOL', base58.encode(randomBytes(32)), { networkId: 900 }, 503)).code).toBe('chain_unreadable');
  });

  it('is refused with an invalid offset, and on chains without a history', async () => {
    expect((await read('EVM', ALICE, { networkId: 1, offset: 'x' }, 400)).code).toBe('validation_failed');
    expect((await read('SUI', `0x${'ab'.repeat(32)}`, { networkId: 1 }, 422)).code).toBe('chain_not_readable');
  });

  it('asks a node about no more transactions than it was to name', async () => {
    odd = { more: 1_000 };
    const asked = node.requests;
    const address = base58.encode(randomBytes(32));
    expect((await read('SOL', address, { networkId: 900, limit: 10 }, 503)).code).toBe('chain_unreadable');
    expect(node.requests - asked).toBeLessThan(5);
  });

  it.each([
    ['SOL', { meta: { preBalances: [1] } }],
    ['SOL', { meta: { preBalances: ['x', 'y'] } }],
    ['SOL', { meta: { postBalances: null } }],
    ['SOL', { meta: { preTokenBalances: [null] } }],
    ['SOL', { meta: { preTokenBalances: [{ mint: OTHER, uiTokenAmount: { amount: 'x', decimals: 2 } }] } }],
    ['SOL', { meta: { postTokenBalances: [{ mint: OTHER, uiTokenAmount: { amount: '1', decimals: 1e9 } }] } }],
    ['SOL', { signature: { blockTime: 9e15 } }],
    ['SOL', { signature: { blockTime: 'yesterday' } }],
    ['BTC', { confirmed: { txid: ['0'.repeat(64)] } }],
    ['BTC', { output: { value: '5' } }],
    ['BTC', { output: { value: -5 } }],
    ['BTC', { output: { value: 1e300 } }],
    ['EVM', { row: { timeStamp: '999999999999999' } }],
    ['EVM', { row: { value: '-5' } }],
    ['EVM', { row: { hash: '0x' } }],
  ] as const)('on %s gets 503 instead of a guess if a vendor returns %j', async (chain, oddity) => {
    odd = oddity;
    // Pages that nobody has asked for yet, so that none is kept.
    const bitcoin = `bc1q${randomBytes(19).toString('hex')}`;
    const evm = `0x${randomBytes(20).toString('hex')}`;
    const [address, networkId] = { SOL: [SOLANA, 900], BTC: [bitcoin, 1], EVM: [evm, 1] }[chain] as [string, number];
    expect((await read(chain, address, { networkId, limit: 10 }, 503)).code).toMatch(
      /^(?:chain_unreadable|vendor_unavailable)$/,
    );
  });
});
