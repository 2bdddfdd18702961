import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAddress, toHex, type Address } from 'viem';
import { Anvil } from '../../test/support/anvil.js';
import { RATE_ANSWERS, rateAddresses } from '../../test/support/rate-vendors.js';
import { RpcNode } from '../../test/support/rpc-node.js';
import { VendorServer } from '../../test/support/vendor-server.js';
import type { LoadRequest } from '../load/load-job.js';
import { monotonicMs } from '../monotonic.js';
import { median, percentile } from '../report/statistics.js';
import type { Row } from '../report/table.js';
import type { Cleanup } from '../stack/cleanup.js';
import { withClient } from '../stack/postgres.js';
import { startService, type ServiceSettings } from '../stack/service.js';
import type { Ground } from './operations.js';
import { ask } from './same-shape.js';

interface Scene {
  readonly settings: ServiceSettings;
  readonly ground: Ground;
  readonly cleanup: Cleanup;
  readonly rounds: number;
}

/** Sepolia, as which the node in front of anvil identifies itself. */
const NETWORK = 11_155_111;
const ACCOUNTS = 5;
const TOKENS = 50;
const QUESTIONS_A_ROUND = 50;

/** The first account funded by anvil. */
const FUNDED: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

const newAddress = (): Address => getAddress(toHex(randomBytes(20)));

interface Chain {
  readonly node: RpcNode;
  /** The service settings needed to read this chain. */
  readonly settings: Pick<ServiceSettings, 'env'>;
}

/** A real node with fifty tokens behind a request-counting proxy; a token list, and sources of rates. */
async function startChain(cleanup: Cleanup): Promise<Chain> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-tokens-'));
  cleanup.add({ stop: async () => rmSync(folder, { recursive: true, force: true }) });
  const anvil = await (await Anvil.start()).withMulticall();
  cleanup.add({ stop: () => anvil.close() });
  const node = await RpcNode.before(anvil.url, NETWORK);
  cleanup.add({ stop: () => node.close() });
  const vendors = await VendorServer.start(RATE_ANSWERS);
  cleanup.add({ stop: () => vendors.close() });
  const addresses = Array.from({ length: TOKENS }, newAddress);
  for (const address of addresses) await anvil.place('Coin', address);
  const tokens = addresses.map((address, at) => ({
    ...{ chainId: NETWORK, address, name: `Coin ${at}`, symbol: `COIN${at}`, decimals: 6 },
  }));
  const list = join(folder, 'tokens.json');
  writeFileSync(list, JSON.stringify({ name: 'Bench', tokens }));
  return {
    node,
    settings: { env: { TOKEN_LISTS: list, PROVIDER_ADDRESSES: JSON.stringify(rateAddresses(vendors.origin)) } },
  };
}

/** Makes the environment read the network from this node. */
async function readAt(url: string, { databaseUrl, environmentId }: ServiceSettings): Promise<void> {
  const network = { networkId: NETWORK, chainName: 'EVM', enabled: true, type: 'default', rpcUrl: url };
  // Wallets in other rows sign in on mainnet.
  const main = { networkId: 1, chainName: 'EVM', enabled: true, type: 'default' };
  const chains = JSON.stringify([{ name: 'EVM', enabled: true, networks: [network, main] }]);
  await withClient(databaseUrl, (client) =>
    client.query(
      `UPDATE environment_settings SET settings = jsonb_set(settings::jsonb, '{chains}', $2::jsonb) WHERE environment_id = $1`,
      [environmentId, chains],
    ),
  );
}

/** Response time of requests in sequence, in milliseconds. */
async function timed(origin: string, request: LoadRequest): Promise<number> {
  const started = monotonicMs();
  await ask(origin, request, 200);
  return monotonicMs() - started;
}

/**
 * Account balances and transaction simulations with a real node on the same machine. Cold means five accounts that
 * nobody has queried; warm means the same five again. The simulation figure is the time beyond the same query sent
 * directly to the node, measured side by side.
 */
export async function measureMoney({ settings, ground, cleanup, rounds }: Scene): Promise<Row[]> {
  const chain = await startChain(cleanup);
  const { node } = chain;
  await readAt(node.url, settings);
  const service = cleanup.add(await startService({ ...settings, ...chain.settings }));
  const times = rounds * QUESTIONS_A_ROUND;
  const { environmentId } = ground.tenant;
  const sdk = `/api/v0/sdk/${environmentId}`;
  const headers = { authorization: `Bearer ${ground.sessionTokens[0]}`, 'content-type': 'application/json' };
  const balancesOf = (accounts: readonly Address[]): LoadRequest => {
    const balanceRequests = accounts.map((address) => ({ address, chain: 'EVM', networkIds: [NETWORK] }));
    return { method: 'POST', path: `${sdk}/balances`, headers, body: JSON.stringify({ balanceRequests }) };
  };
  const fresh = (): Address[] => Array.from({ length: ACCOUNTS }, newAddress);
  const measured = async (request: () => LoadRequest): Promise<{ ms: number[]; calls: number }> => {
    await ask(service.origin, request(), 200);
    node.forget();
    const ms: number[] = [];
    for (let time = 0; time < times; time += 1) ms.push(await timed(service.origin, request()));
    return { ms, calls: node.requests / times };
  };
  const cold = await measured(() => balancesOf(fresh()));
  const same = fresh();
  const warm = await measured(() => balancesOf(same));
  const rows = [
    { row: 'balances of 5 accounts and 50 tokens, cold', ...cold } as const,
    { row: 'balances of 5 accounts and 50 tokens, warm', ...warm } as const,
  ].map(({ row, ms, calls }): Row => {
    const note = `${calls.toFixed(2)} calls out for an answer`;
    return { row, figure: median(ms), p50: percentile(ms, 0.5), p99: percentile(ms, 0.99), note };
  });
  rows.push(await measureSimulation(service.origin, { node, path: `${sdk}/evm/simulateTransaction`, headers, times }));
  await service.stop();
  return rows;
}

interface Simulations {
  readonly node: RpcNode;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly times: number;
}

async function measureSimulation(origin: string, { node, path, headers, times }: Simulations): Promise<Row> {
  const [from, to] = [FUNDED, newAddress()];
  const ofService = (value: number): LoadRequest => {
    const body = JSON.stringify({ chainId: String(NETWORK), from, to, value: String(value), data: '0x' });
    return { method: 'POST', path, headers, body };
  };
  const ofNode = (value: number): LoadRequest => {
    const calls = [{ from, to, value: toHex(value), data: '0x' }];
    const params = [{ blockStateCalls: [{ calls }], traceTransfers: true, validation: false }, 'latest'];
    const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'eth_simulateV1', params });
    return { method: 'POST', path: '/', headers: { 'content-type': 'application/json' }, body };
  };
  await ask(origin, ofService(0), 200);
  await ask(node.url, ofNode(0), 200);
  const whole: number[] = [];
  const own: number[] = [];
  // No two requests are alike, or the second would be answered from the cache.
  for (let turn = 1; turn <= times; turn += 1) {
    const byNode = await timed(node.url, ofNode(2 * turn));
    const byService = await timed(origin, ofService(2 * turn + 1));
    whole.push(byService);
    own.push(byService - byNode);
  }
  const note = `${median(whole).toFixed(1)} ms with the node`;
  const [p50, p99] = [percentile(own, 0.5), percentile(own, 0.99)];
  return { row: 'simulation, share beside the node', figure: median(own), p50, p99, note };
}
