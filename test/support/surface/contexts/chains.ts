import { useNodes } from '../../chain-tenant.js';
import { RpcNode } from '../../rpc-node.js';
import type { Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

const NETWORK = 11_155_111;
const SOLANA = 101;
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const SOLANA_ADDRESS = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';
const SOLANA_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
/** An unsigned payment of the account to itself. */
const TRANSACTION = Buffer.concat([
  Buffer.from([1, ...new Uint8Array(64), 1, 0, 1, 2]),
  Buffer.from('321cfa5add185e8893a5fd88013ec4d7e122ded46354cadff50d956395e75b60', 'hex'),
  Buffer.alloc(32),
  Buffer.alloc(32, 1),
  Buffer.from([1, 1, 2, 0, 0, 12, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]),
]);

const word = (n: bigint): string => `0x${n.toString(16).padStart(64, '0')}`;
const context = { slot: 1 };
const ANSWERS: Readonly<Record<string, (params: unknown[]) => unknown>> = {
  eth_chainId: () => `0x${NETWORK.toString(16)}`,
  eth_getCode: () => '0x',
  eth_blockNumber: () => '0x1',
  eth_getBalance: () => word(1n),
  eth_call: () => word(0n),
  eth_simulateV1: (params) => {
    const [{ blockStateCalls }] = params as [{ blockStateCalls: [{ calls: unknown[] }] }];
    const [{ calls }] = blockStateCalls;
    return [{ calls: calls.map(() => ({ status: '0x1', returnData: '0x', logs: [] })) }];
  },
  getGenesisHash: () => SOLANA_GENESIS,
  getBalance: () => ({ context, value: 1 }),
  getTokenAccountsByOwner: () => ({ context, value: [] }),
  getMultipleAccounts: ([addresses]) => ({ context, value: (addresses as string[]).map(() => null) }),
  simulateTransaction: (params) => {
    const [, { accounts }] = params as [string, { accounts: { addresses: string[] } }];
    const { addresses } = accounts;
    return { context, value: { err: null, logs: [], accounts: addresses.map(() => null) } };
  },
  getRecentPrioritizationFees: () => [],
  getSignaturesForAddress: () => [],
};

let node: Promise<RpcNode> | undefined;

/** Makes the tenant's networks use a test node that reports empty chains. */
async function readable({ world }: Tenant): Promise<void> {
  node ??= RpcNode.start(({ method, params }) => ({ result: ANSWERS[method]?.(params) ?? null }));
  const { url } = await node;
  await useNodes(world, { EVM: { [NETWORK]: url }, SOL: { [SOLANA]: url } });
}

const request = (parts: { body?: unknown; query?: string }) => async (tenant: Tenant) => {
  await readable(tenant);
  return parts;
};

const balances = { balanceRequests: [{ address: ADDRESS, chain: 'EVM', networkIds: [NETWORK] }] };
const evm = { chainId: String(NETWORK), value: '0' };
const UNCHANGED = 'It reads, and changes nothing.';

export const surface: Surface = {
  kinds: { chainName: 'SOL', address: SOLANA_ADDRESS },
  operations: {
    getAllTokensByChain: {
      callers: {
        'an API token with every scope but the needed one': 'success',
        'an API token with exactly the needed scope': 'success',
        "an API token of the project's other environment": 'success',
        'an API token of another organization': 'success',
      },
    },
    getAccountBalances: { request: request({ query: `networkId=${SOLANA}&accountAddress=${SOLANA_ADDRESS}` }) },
    postMultichainAccountBalances: {
      request: request({ body: balances }),
      untold: UNCHANGED,
      rulesBeyondTheSchema: /^balanceRequests/,
    },
    getUserAccountBalances: {
      request: request({ body: balances }),
      untold: UNCHANGED,
      unrecorded: UNCHANGED,
      rulesBeyondTheSchema: /^balanceRequests/,
    },
    getWalletTransactions: { request: request({ query: `networkId=${SOLANA}` }) },
    simulateEVMTransaction: {
      request: request({ body: { ...evm, data: '0x', from: ADDRESS, to: ADDRESS } }),
      untold: UNCHANGED,
      rulesBeyondTheSchema: /^(chainId|data|from|to|value): /,
    },
    simulateUserOp: {
      request: request({ body: { ...evm, entryPoint: ADDRESS, operation: { sender: ADDRESS, callData: '0x' } } }),
      untold: UNCHANGED,
      rulesBeyondTheSchema: /^(chainId|entryPoint|operation)/,
    },
    simulateSVMTransaction: {
      request: request({
        body: {
          chain: 'mainnet',
          transactions: [TRANSACTION.toString('base64')],
          accountAddress: SOLANA_ADDRESS,
          method: 'signTransaction',
        },
      }),
      untold: UNCHANGED,
      rulesBeyondTheSchema: /^(chain|transactions)/,
    },
    optimizeTransaction: {
      request: request({ body: { transaction: TRANSACTION.toString('base64'), address: SOLANA_ADDRESS } }),
      untold: UNCHANGED,
      rulesBeyondTheSchema: /^(transaction|address): /,
    },
    scanUrl: {
      request: () => ({ body: { url: 'https://example.com/' } }),
      untold: UNCHANGED,
      rulesBeyondTheSchema: /^url: /,
    },
  },
};
