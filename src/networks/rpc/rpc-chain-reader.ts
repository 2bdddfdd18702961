import { Injectable } from '@nestjs/common';
import { createPublicClient, custom, type Address, type Hex, type PublicClient } from 'viem';
import type { EnvironmentId } from '../../auth/index.js';
import { Clock } from '../../common/clock.js';
import {
  ChainReader,
  type EvmRead,
  type NetworkRef,
  type Reading,
  type ReadOptions,
  type SolanaMint,
  type TokenHolding,
} from './chain-reader.js';
import { CallRevertedError, ChainUnreadableError } from './chain-unreadable.error.js';
import {
  bytesOf,
  decodeAggregate,
  encodeAggregate,
  multicallAddress,
  quantityOf,
  type BlockAnswer,
} from './evm-answers.js';
import type { RpcQuestion, RpcReply } from './json-rpc.js';
import { RecentReads } from './recent-reads.js';
import { apartOf, RpcNetworks, type RpcNetwork } from './rpc-networks.js';
import { RpcTransport } from './rpc-transport.js';
import {
  amountsOf,
  feesOf,
  holdingOf,
  inContext,
  lamportsOf,
  mintOf,
  TOKEN_PROGRAMS,
  type SlotAnswer,
} from './solana-answers.js';

/** As many as one `eth_call` can answer within the response size limit. */
const MOST_READS = 300;
/** Nodes accept only small JSON-RPC batches. */
const MOST_IN_BATCH = 50;
/** The account limit of `getRecentPrioritizationFees`. */
const MOST_WRITTEN = 128;
const EVM = 'EVM';
const CONFIRMED = { commitment: 'confirmed' };

/** The methods a viem client may call. None of them sends anything. */
const READING_METHODS: ReadonlySet<string> = new Set([
  ...['eth_call', 'eth_getCode', 'eth_blockNumber', 'eth_getBalance', 'eth_chainId', 'eth_getStorageAt'],
]);

/** Reads chains over JSON-RPC: EVM networks by EIP-1474, Solana by its HTTP methods. */
@Injectable()
export class RpcChainReader extends ChainReader {
  private readonly reads: RecentReads;

  constructor(
    private readonly networks: RpcNetworks,
    private readonly transport: RpcTransport,
    clock: Clock,
  ) {
    super();
    this.reads = new RecentReads(clock);
  }

  override async call(
    environmentId: EnvironmentId,
    networkId: number,
    { to, data, from }: { to: Address; data: Hex; from?: Address },
    { blockTag = 'latest' }: ReadOptions = {},
  ): Promise<Hex> {
    const question = { method: 'eth_call', params: [{ to, data, ...(from && { from }) }, blockTag] };
    return this.one(await this.evm(environmentId, networkId), question, bytesOf);
  }

  override async code(environmentId: EnvironmentId, networkId: number, address: Address): Promise<Hex> {
    return this.codeAt(await this.evm(environmentId, networkId), address, 'latest');
  }

  override async balance(environmentId: EnvironmentId, ref: NetworkRef, address: string): Promise<bigint> {
    const network = await this.networks.get(environmentId, ref);
    if (network.family === 'evm') {
      return this.one(network, { method: 'eth_getBalance', params: [address, 'latest'] }, quantityOf);
    }
    const [reading] = await this.solBalances(environmentId, ref, [address]);
    return reading!.value;
  }

  override async blockNumber(environmentId: EnvironmentId, ref: NetworkRef): Promise<bigint> {
    const network = await this.networks.get(environmentId, ref);
    const isEvm = network.family === 'evm';
    const question = isEvm ? { method: 'eth_blockNumber', params: [] } : { method: 'getSlot', params: [CONFIRMED] };
    return this.transport.ask(network, [question], ([reply]) => {
      if (isEvm) return quantityOf(reply);
      return inContext({ result: { context: { slot: reply?.result }, value: null } }, () => null).blockNumber;
    });
  }

  override async multicall(
    environmentId: EnvironmentId,
    networkId: number,
    reads: readonly EvmRead[],
    { blockTag = 'latest', apart = false, ...recent }: ReadOptions = {},
  ): Promise<Reading<Hex | null>[]> {
    const known = await this.evm(environmentId, networkId);
    const network = apart ? apartOf(known, environmentId) : known;
    const group = `${environmentId} ${blockTag} ${network.key}`;
    const how = (read: EvmRead) => ({
      key: `${network.key} ${blockTag} ${'to' in read ? `${read.to} ${read.data}`.toLowerCase() : read.balanceOf}`,
      read: () =>
        // Tenants do not share a call: a contract that burns all gas fails the whole call.
        this.reads.gather(group, read, MOST_READS, (all) => this.aggregate(network, networkId, all, blockTag)),
    });
    return this.many(reads, how, recent);
  }

  override async solBalances(
    environmentId: EnvironmentId,
    ref: NetworkRef,
    owners: readonly string[],
    options?: ReadOptions,
  ): Promise<Reading<bigint>[]> {
    const ask = (owner: string) => ({ method: 'getBalance', params: [owner, CONFIRMED] });
    return this.solana(environmentId, ref, owners, ask, lamportsOf, options);
  }

  override async tokensOfOwner(
    environmentId: EnvironmentId,
    ref: NetworkRef,
    owner: string,
    options?: ReadOptions,
  ): Promise<Reading<ReadonlyMap<string, bigint>>> {
    // Mint, owner and amount come first; the rest would exceed the response limit.
    const slice = { ...CONFIRMED, encoding: 'base64', dataSlice: { offset: 0, length: 72 } };
    const ask = (programId: string) => ({ method: 'getTokenAccountsByOwner', params: [owner, { programId }, slice] });
    const decode = (value: unknown) => amountsOf(value, owner);
    const readings = await this.solana(environmentId, ref, TOKEN_PROGRAMS, ask, decode, options);
    const value = new Map(readings.flatMap((reading) => [...reading.value]));
    return { ...readings[0]!, value };
  }

  override async tokenHoldings(
    environmentId: EnvironmentId,
    ref: NetworkRef,
    questions: readonly { owner: string; mint: string }[],
    options?: ReadOptions,
  ): Promise<Reading<TokenHolding>[]> {
    const slice = { ...CONFIRMED, encoding: 'base64', dataSlice: { offset: 0, length: 165 } };
    const ask = ({ owner, mint }: { owner: string; mint: string }) => ({
      method: 'getTokenAccountsByOwner',
      params: [owner, { mint }, slice],
    });
    return this.solana(environmentId, ref, questions, ask, holdingOf, options);
  }

  override async priorityFees(
    environmentId: EnvironmentId,
    ref: NetworkRef,
    accounts: readonly string[],
  ): Promise<Reading<readonly bigint[]>> {
    const network = await this.networks.get(environmentId, ref);
    const question = { method: 'getRecentPrioritizationFees', params: [accounts.slice(0, MOST_WRITTEN)] };
    return this.reads.through(`${network.key} ${JSON.stringify(question)}`, async () => ({
      value: await this.transport.ask(network, [question], ([reply]) => feesOf(reply)),
      blockNumber: 0n,
    }));
  }

  override async mints(
    environmentId: EnvironmentId,
    ref: NetworkRef,
    addresses: readonly string[],
    options?: ReadOptions,
  ): Promise<Reading<SolanaMint | null>[]> {
    const ask = (address: string) => ({
      method: 'getAccountInfo',
      params: [address, { ...CONFIRMED, encoding: 'base64', dataSlice: { offset: 0, length: 166 } }],
    });
    return this.solana(environmentId, ref, addresses, ask, mintOf, options);
  }

  override async evmClient(environmentId: EnvironmentId, networkId: number): Promise<PublicClient> {
    const network = await this.evm(environmentId, networkId);
    const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
      if (!READING_METHODS.has(method)) throw new Error(`A chain reader does not do ${method}.`);
      const questions = [{ method, params: (params ?? []) as unknown[] }];
      return this.transport.ask(network, questions, ([reply]) => bytesOrQuantity(method, reply));
    };
    // The transport does the retries. Following a contract's ERC-3668 reply would make viem fetch URLs of the
    // contract's choice, bypassing the guard.
    return createPublicClient({ transport: custom({ request }, { retryCount: 0 }), cacheTime: 0, ccipRead: false });
  }

  private evm(environmentId: EnvironmentId, networkId: number): Promise<RpcNetwork> {
    return this.networks.get(environmentId, { chain: EVM, networkId });
  }

  private codeAt(network: RpcNetwork, address: Address, blockTag: string): Promise<Hex> {
    return this.one(network, { method: 'eth_getCode', params: [address, blockTag] }, bytesOf);
  }

  private async one<T>(network: RpcNetwork, question: RpcQuestion, decode: (reply?: RpcReply) => T): Promise<T> {
    const key = `${network.key} ${JSON.stringify(question)}`;
    const reading = await this.reads.through(key, async () => ({
      value: await this.transport.ask(network, [question], ([reply]) => decode(reply)),
      blockNumber: 0n,
    }));
    return reading.value;
  }

  private many<Q, A>(
    questions: readonly Q[],
    how: (question: Q) => { key: string; read: () => Promise<Omit<Reading<A>, 'readAt'>> },
    options?: ReadOptions,
  ): Promise<Reading<A>[]> {
    return Promise.all(
      questions.map((question) => {
        const { key, read } = how(question);
        return this.reads.through(key, read, options);
      }),
    );
  }

  private async solana<Q, A>(
    environmentId: EnvironmentId,
    ref: NetworkRef,
    questions: readonly Q[],
    ask: (question: Q) => RpcQuestion,
    decode: (value: unknown, question: Q) => A,
    options?: ReadOptions,
  ): Promise<Reading<A>[]> {
    const network = await this.networks.get(environmentId, ref);
    if (network.family !== 'solana') throw new ChainUnreadableError('unknown_network', 'the network is not of Solana');
    const group = `${environmentId} ${network.key}`;
    type Item = { question: RpcQuestion; decode: (value: unknown) => unknown };
    const flush = (items: Item[]): Promise<Judged[]> =>
      this.transport.ask(
        network,
        items.map((item) => item.question),
        (replies) => judgedAll(items.map((item, at) => () => inContext(replies[at], item.decode))),
      );
    const how = (question: Q) => {
      const item: Item = { question: ask(question), decode: (value) => decode(value, question) };
      const read = async () => answerIn(await this.reads.gather(group, item, MOST_IN_BATCH, flush)) as SlotAnswer<A>;
      return { key: `${network.key} ${JSON.stringify(item.question)}`, read };
    };
    return this.many(questions, how, options);
  }

  /** One Multicall3 call, or one batch if the network has none or a contract burned the gas of all. */
  private async aggregate(
    network: RpcNetwork,
    networkId: number,
    reads: EvmRead[],
    blockTag: string,
  ): Promise<BlockAnswer[]> {
    const multicall = multicallAddress(networkId);
    if ((await this.codeAt(network, multicall, 'latest')) === '0x') return this.batch(network, reads, blockTag);
    const question = {
      method: 'eth_call',
      params: [{ to: multicall, data: encodeAggregate(multicall, reads) }, blockTag],
    };
    try {
      return await this.transport.ask(network, [question], ([reply]) => decodeAggregate(reply, reads));
    } catch (error) {
      if (!(error instanceof CallRevertedError)) throw error;
      return this.batch(network, reads, blockTag);
    }
  }

  private async batch(network: RpcNetwork, reads: EvmRead[], blockTag: string): Promise<BlockAnswer[]> {
    const answers: BlockAnswer[] = [];
    for (let at = 0; at < reads.length; at += MOST_IN_BATCH) {
      const part = reads.slice(at, at + MOST_IN_BATCH);
      const questions = part.map((read) =>
        'to' in read
          ? { method: 'eth_call', params: [read, blockTag] }
          : { method: 'eth_getBalance', params: [read.balanceOf, blockTag] },
      );
      const block = { method: 'eth_blockNumber', params: [] };
      const some = await this.transport.ask(network, [block, ...questions], ([first, ...rest]) => {
        const blockNumber = quantityOf(first);
        return part.map((read, index) => ({ value: valueOf(read, rest[index]), blockNumber }));
      });
      answers.push(...some);
    }
    return answers;
  }
}

type Judged = { answer: SlotAnswer<unknown> } | { error: ChainUnreadableError };

/** An account that is not a mint does not affect the others; a node that answers nothing is given up. */
function judgedAll(judges: readonly (() => SlotAnswer<unknown>)[]): Judged[] {
  const all = judges.map((judge): Judged => {
    try {
      return { answer: judge() };
    } catch (error) {
      if (error instanceof ChainUnreadableError) return { error };
      throw error;
    }
  });
  const [first] = all;
  if (first && 'error' in first && all.every((one) => 'error' in one)) throw first.error;
  return all;
}

function answerIn(judged: Judged): SlotAnswer<unknown> {
  if ('error' in judged) throw judged.error;
  return judged.answer;
}

function valueOf(read: EvmRead, reply: RpcReply | undefined): Hex | null {
  if ('balanceOf' in read) return `0x${quantityOf(reply).toString(16).padStart(64, '0')}`;
  try {
    return bytesOf(reply);
  } catch (error) {
    if (error instanceof CallRevertedError) return null;
    throw error;
  }
}

/** Checked, and passed on in the node's encoding. */
function bytesOrQuantity(method: string, reply: RpcReply | undefined): unknown {
  if (method === 'eth_call' || method === 'eth_getCode' || method === 'eth_getStorageAt') return bytesOf(reply);
  quantityOf(reply);
  return reply?.result;
}
