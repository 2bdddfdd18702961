import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { Deadline } from './deadline.js';
import { OutboundError } from './outbound.errors.js';

/** Every address of a host name, in the order in which to try them. Rejects if there are none. */
export type ResolveHost = (host: string) => Promise<LookupAddress[]>;

export const DNS_TIMEOUT_MS = 2000;

/** Milliseconds per attempt at a server, and for the whole query: less than anybody waits for it. */
const TRY_MS = 800;
const TRIES = 2;
const QUERY_MS = 1800;

/**
 * The system's resolver: the hosts file, search domains and container DNS apply as for any other program. Only for names
 * that the operator has listed: each query occupies a thread until the system gives up, for ten seconds or more, and of
 * these threads there are two.
 */
export const resolveWithSystem: ResolveHost = (host) => lookup(host, { all: true, order: 'verbatim' });

/**
 * Queries the name servers of the system, or the given ones, for names that strangers choose. It occupies no thread:
 * otherwise two names whose servers never answer would keep every other name from being resolved, even that of the
 * database. If only one of the two questions is answered, the host has only those addresses.
 */
export const resolveWithDns =
  (servers: readonly string[] = []): ResolveHost =>
  async (host) => {
    // One per query, so that cancelling a hanging one cancels no other.
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    if (servers.length > 0) resolver.setServers(servers);
    const deadline = setTimeout(() => resolver.cancel(), QUERY_MS);
    try {
      const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      if (v4.status === 'rejected' && v6.status === 'rejected') throw v4.reason;
      return [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
    } finally {
      clearTimeout(deadline);
    }
  };

const addressesOf = (answer: PromiseSettledResult<string[]>, family: number): LookupAddress[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : [];

/**
 * Limits each wait for an answer, and lets concurrent connections to one host share a query. A query outlives callers
 * that gave up, because it goes on until the resolver gives up: a hanging name has one, not one per attempt. Answers are
 * not cached.
 */
export class HostResolver {
  private readonly open = new Map<string, Promise<LookupAddress[]>>();

  constructor(
    private readonly resolveHost: ResolveHost,
    private readonly timeoutMs: number = DNS_TIMEOUT_MS,
  ) {}

  /** @throws OutboundError of kind `dns`: no such name, server failure, no address, or no answer in time. */
  async resolve(host: string): Promise<LookupAddress[]> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const deadline = new Deadline(this.timeoutMs, () =>
      reject(new OutboundError('dns', `no DNS answer for ${host} in ${this.timeoutMs} ms`)),
    );
    try {
      const addresses = await Promise.race([this.ask(host), late]);
      if (addresses.length === 0) throw new OutboundError('dns', `${host} has no address`);
      return addresses;
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      throw new OutboundError('dns', `cannot resolve ${host}`, { cause: error });
    } finally {
      deadline.clear();
    }
  }

  private ask(host: string): Promise<LookupAddress[]> {
    const running = this.open.get(host);
    if (running) return running;
    const question = this.resolveHost(host).finally(() => this.open.delete(host));
    this.open.set(host, question);
    return question;
  }
}
