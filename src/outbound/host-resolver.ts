import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { Deadline } from './deadline.js';
import { OutboundError } from './outbound.errors.js';

/** Every address of a host name, in the order in which to try them. Rejects if there are none. */
export type ResolveHost = (host: string) => Promise<LookupAddress[]>;

export const DNS_TIMEOUT_MS = 2000;

/** The system's resolver: the hosts file, search domains and container DNS apply as for any other program. */
export const resolveWithSystem: ResolveHost = (host) => lookup(host, { all: true, order: 'verbatim' });

/**
 * Limits each wait for an answer, and lets concurrent connections to one host share a query. A query outlives callers
 * that gave up, because its thread is busy until the system answers: a hanging name occupies one thread of the pool,
 * not one per attempt. Answers are not cached.
 */
export class HostResolver {
  private readonly open = new Map<string, Promise<LookupAddress[]>>();

  constructor(
    private readonly resolveHost: ResolveHost = resolveWithSystem,
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
