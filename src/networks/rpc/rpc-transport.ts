import type { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import { leastRecent } from '../../common/least-recent.js';
import { Clock } from '../../common/clock.js';
import { VendorFigures } from '../../observability/index.js';
import { OutboundHttp } from '../../outbound/index.js';
import { ChainUnreadableError } from './chain-unreadable.error.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { askNode, type RpcQuestion, type RpcReply } from './json-rpc.js';
import { isMisread } from './misread.js';
import type { RpcNetwork } from './rpc-networks.js';

/** Overall: all attempts at all nodes. */
const DEADLINE_MS = 5_000;
/** For the first attempt, so that a hanging node leaves time for the other. */
const FIRST_TRY_MS = 3_000;
/** How long a node's reported identity is trusted. */
const IDENTITY_MS = 600_000;
const MAX_NODES = 5_000;

/** The method whose answer identifies the network. */
const IDENTITIES: Record<RpcNetwork['family'], string> = { evm: 'eth_chainId', solana: 'getGenesisHash' };

/** Metrics count nodes by kind: their URLs must not be shown. */
const nodeVendor = ({ family }: Pick<RpcNetwork, 'family'>): string => `${family}-node`;

/** Sends questions to the nodes of a network: two attempts within five seconds, the second to the other node. */
@Injectable()
export class RpcTransport {
  private readonly breaker = new CircuitBreaker();
  private readonly identified: LRUCache<string, true>;

  constructor(
    private readonly http: OutboundHttp,
    private readonly clock: Clock,
    private readonly figures: VendorFigures,
  ) {
    this.identified = leastRecent(MAX_NODES, { ttl: IDENTITY_MS, perf: { now: () => clock.timestamp() } });
  }

  /**
   * @param judge throws {@link ChainUnreadableError} on replies that a sound node does not give, so that the other node
   *   is tried
   */
  async ask<T>(network: RpcNetwork, questions: readonly RpcQuestion[], judge: (replies: RpcReply[]) => T): Promise<T> {
    const [first, second = first] = network.urls;
    if (first === undefined || second === undefined) {
      throw new ChainUnreadableError('unknown_network', 'the network has no node to ask');
    }
    const deadline = this.clock.timestamp() + DEADLINE_MS;
    try {
      return await this.tryNode(network, first, questions, judge, FIRST_TRY_MS);
    } catch (error) {
      const leftMs = deadline - this.clock.timestamp();
      // Retrying the only node would make things worse if it limits the rate.
      const isHopeless = second === first && !isWorthRepeating(error);
      if (!(error instanceof ChainUnreadableError) || isHopeless || leftMs <= 0) throw error;
      return this.tryNode(network, second, questions, judge, leftMs);
    }
  }

  private async tryNode<T>(
    network: RpcNetwork,
    url: string,
    questions: readonly RpcQuestion[],
    judge: (replies: RpcReply[]) => T,
    timeoutMs: number,
  ): Promise<T> {
    const key = `${network.key} ${url}`;
    if (!this.breaker.admits(key, this.clock.timestamp())) {
      throw new ChainUnreadableError('unreachable', 'the node has failed five times in a row and is left alone');
    }
    const started = this.clock.timestamp();
    try {
      await this.identify(network, url, timeoutMs);
      const left = Math.max(1, timeoutMs - (this.clock.timestamp() - started));
      const replies = await askNode(this.http, url, questions, left);
      const result = understood(() => judge(replies));
      this.succeeded(network, key);
      return result;
    } catch (error) {
      if (error instanceof ChainUnreadableError) {
        if (error.isOfQuestion) this.breaker.refused(key);
        else this.breaker.failed(key, this.clock.timestamp());
        this.figures.failed(nodeVendor(network));
      }
      // The contract reverted: the node is healthy.
      else this.succeeded(network, key);
      throw error;
    }
  }

  private succeeded(network: RpcNetwork, key: string): void {
    this.breaker.succeeded(key);
    this.figures.answered(nodeVendor(network));
  }

  /** A node of another chain would report balances that mean nothing here. */
  private async identify(network: RpcNetwork, url: string, timeoutMs: number): Promise<void> {
    const key = `${network.key} ${url}`;
    if (network.identity === null || this.identified.has(key)) return;
    const question = { method: IDENTITIES[network.family], params: [] };
    const [reply] = await askNode(this.http, url, [question], timeoutMs);
    const identity = reply?.result;
    if (typeof identity !== 'string' || identity.toLowerCase() !== network.identity.toLowerCase()) {
      throw new ChainUnreadableError('wrong_chain', 'the node is of another network');
    }
    this.identified.set(key, true);
  }
}

const isWorthRepeating = (error: unknown): boolean =>
  error instanceof ChainUnreadableError && error.reason === 'unreachable';

/** @throws ChainUnreadableError `garbage` if replies have an unexpected form */
function understood<T>(judge: () => T): T {
  try {
    return judge();
  } catch (error) {
    if (!isMisread(error)) throw error;
    throw new ChainUnreadableError('garbage', 'the answer of the node is of another form', { cause: error });
  }
}
