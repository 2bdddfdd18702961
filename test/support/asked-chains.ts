import { startTestApp, type TestApp } from './app.js';
import { addNetwork, useNodes } from './chain-tenant.js';
import { stayOnLoopback } from './loopback.js';
import { MoneyVendors } from './money-vendors.js';
import { RATE_ANSWERS, rateAddresses } from './rate-vendors.js';
import { RpcNode, type Call } from './rpc-node.js';
import { VendorServer } from './vendor-server.js';
import { World } from './world.js';

export const EVM = 31_337;
export const INDEXED = 31_338;
export const SOL = 900;
export const SENDER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const ZERO = `0x${'0'.repeat(64)}`;

/** A node on which every account exists, is empty and has no code. */
const ofEvm = ({ method }: Call): object => {
  const chain = { eth_chainId: '0x7a69', eth_getCode: '0x', eth_blockNumber: '0x1', eth_getBalance: '0x0' };
  if (method === 'eth_simulateV1') return { result: [{ calls: [{ status: '0x1', returnData: '0x', logs: [] }] }] };
  return { result: (chain as Record<string, string>)[method] ?? ZERO };
};
const ofSolana = ({ method, params }: Call): object => {
  const context = { slot: 1 };
  const account = { owner: '11111111111111111111111111111111', lamports: 5, data: ['', 'base64'] };
  const states = (list: unknown): object[] => (list as string[]).map(() => account);
  switch (method) {
    case 'getBalance':
      return { result: { context, value: 7 } };
    case 'getSignaturesForAddress':
      return { result: [] };
    case 'getRecentPrioritizationFees':
      return { result: [{ slot: 1, prioritizationFee: 9 }] };
    case 'getMultipleAccounts':
      return { result: { context, value: states(params[0]) } };
    case 'simulateTransaction': {
      const { addresses } = (params[1] as { accounts: { addresses: string[] } }).accounts;
      return { result: { context, value: { err: null, logs: [], accounts: states(addresses) } } };
    }
    default:
      return { result: { context, value: [] } };
  }
};

const startVendors = (): Promise<VendorServer> =>
  VendorServer.start({
    ...RATE_ANSWERS,
    tokens: () => ({ json: { tokens: [{ chainId: 1, address: SENDER, name: 'A', symbol: 'A', decimals: 6 }] } }),
    sites: () => ({ text: 'evil.example' }),
    blockaid: () => ({
      json: { status: 'hit', is_malicious: false, validation: { status: 'Success', result_type: 'Benign' } },
    }),
    esplora: ({ path }) => ({
      json: path.includes('/txs/') ? [] : { chain_stats: { funded_txo_sum: 5, spent_txo_sum: 2 } },
    }),
    sui: () => ({ json: { jsonrpc: '2.0', id: 1, result: [{ coinType: '0x2::sui::SUI', totalBalance: '5' }] } }),
    balances: () => ({ json: { jsonrpc: '2.0', id: 1, result: { tokenBalances: [] } } }),
    history: () => ({ json: { status: '0', message: 'No transactions found', result: [] } }),
  });

const startApp = (vendors: VendorServer, money: MoneyVendors): Promise<TestApp> =>
  startTestApp({
    env: {
      ROLE: 'api',
      RATE_LIMIT_SCALE: '1',
      METRICS_PORT: '0',
      EGRESS_ALLOW: '127.0.0.1',
      TOKEN_LISTS: `${vendors.origin}/tokens`,
      SCAN_BLOCK_LISTS: `${vendors.origin}/sites`,
      BLOCKAID_API_KEY: 'key',
      CHAIN_INDEXERS: JSON.stringify({
        [`eip155:${INDEXED}`]: { balances: `${vendors.origin}/balances` },
        'eip155:1': { history: `${vendors.origin}/history` },
      }),
      PROVIDER_ADDRESSES: JSON.stringify({
        ...rateAddresses(vendors.origin),
        ...money.addresses,
        blockaid: { api: `${vendors.origin}/blockaid` },
      }),
    },
  });

const isRate = ({ path }: { path: string }): boolean => /^\/(?:coinbase|coingecko|ecb)\b/.test(path);

/** A service, an environment with nodes of all kinds of chains, and all the vendors queried about them, on loopback. */
export class AskedChains {
  private constructor(
    readonly test: TestApp,
    readonly world: World,
    readonly vendors: VendorServer,
    readonly money: MoneyVendors,
    readonly evm: RpcNode,
    private readonly others: readonly RpcNode[],
  ) {}

  static async start(): Promise<AskedChains> {
    const [evm, solana] = [await RpcNode.start(ofEvm), await RpcNode.start(ofSolana)];
    // Blockaid supports only mainnet, and this node is one of it.
    const [main, indexed] = [await numbered('0x1'), await numbered('0x7a6a')];
    const [vendors, money] = [await startVendors(), await MoneyVendors.start()];
    const test = await startApp(vendors, money);
    stayOnLoopback(test);
    const world = await World.create(test);
    await addNetwork(world, 'EVM', EVM, evm.url);
    await addNetwork(world, 'SOL', SOL, solana.url);
    await addNetwork(world, 'EVM', INDEXED, indexed.url);
    await useNodes(world, {
      EVM: { [EVM]: evm.url, 1: main.url },
      SOL: { [SOL]: solana.url },
      BTC: { 1: `${vendors.origin}/esplora` },
      SUI: { 1: `${vendors.origin}/sui` },
    });
    return new AskedChains(test, world, vendors, money, evm, [solana, main, indexed]);
  }

  /** Outgoing calls except those for rates, which are refreshed each minute regardless. */
  outgoing(): number {
    return (
      this.nodes.reduce((sum, { requests }) => sum + requests, 0) +
      this.vendors.calls.filter((call) => !isRate(call)).length +
      this.money.calls.length
    );
  }

  forget(): void {
    for (const node of this.nodes) node.forget();
    this.vendors.forget();
    this.money.calls.length = 0;
  }

  async close(): Promise<void> {
    await this.test.close();
    await Promise.all([...this.nodes, this.vendors, this.money].map((each) => each.close()));
  }

  private get nodes(): RpcNode[] {
    return [this.evm, ...this.others];
  }
}

/** A node of another network. */
const numbered = (chainId: string): Promise<RpcNode> =>
  RpcNode.start((call) => (call.method === 'eth_chainId' ? { result: chainId } : ofEvm(call)));
