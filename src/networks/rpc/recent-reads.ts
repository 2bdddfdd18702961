import type { LRUCache } from 'lru-cache';
import { leastRecent } from '../../common/least-recent.js';
import type { Clock } from '../../common/clock.js';
import type { Reading, ReadOptions } from './chain-reader.js';

/** No decision is based on an older answer. */
export const MAX_AGE_MS = 60_000;
const MAX_READS = 50_000;
/** How long questions wait for others to be batched with. */
const GATHER_MS = 4;

type Flush<Q, A> = (questions: Q[]) => Promise<A[]>;
interface Waiting<Q, A> {
  question: Q;
  settled: PromiseWithResolvers<A>;
}
type Answered<T> = Omit<Reading<T>, 'readAt'>;
type HowRecent = Pick<ReadOptions, 'fresh' | 'maxAgeMs'>;

/**
 * Chain answers of the last minute, and requests in flight: identical concurrent questions are sent once, and those
 * that arrive within a few milliseconds are batched. Failures are not cached.
 */
export class RecentReads {
  private readonly known: LRUCache<string, Reading<unknown>>;
  private readonly underWay = new Map<string, Promise<Reading<unknown>>>();
  private readonly gathering = new Map<string, Waiting<unknown, unknown>[]>();

  constructor(private readonly clock: Clock) {
    this.known = leastRecent(MAX_READS);
  }

  /** From the cache unless that is too old or must not be used, from a request in flight, or by `read`. */
  async through<T>(key: string, read: () => Promise<Answered<T>>, how: HowRecent = {}): Promise<Reading<T>> {
    const known = this.peek<T>(key, how) ?? this.underWay.get(key);
    if (known) return known as Reading<T> | Promise<Reading<T>>;
    const readAt = this.clock.timestamp();
    const asked = read().then((answer) => ({ ...answer, readAt }));
    this.underWay.set(key, asked);
    try {
      const reading = await asked;
      this.known.set(key, reading);
      return reading;
    } finally {
      this.underWay.delete(key);
    }
  }

  private peek<T>(key: string, { fresh, maxAgeMs = MAX_AGE_MS }: HowRecent): Reading<T> | null {
    const reading = fresh ? undefined : this.known.get(key);
    const isRecent = reading && this.clock.timestamp() - reading.readAt < Math.min(maxAgeMs, MAX_AGE_MS);
    return isRecent ? (reading as Reading<T>) : null;
  }

  /** One of many answers that are fetched together, at most `most` at a time. */
  gather<Q, A>(group: string, question: Q, most: number, flush: Flush<Q, A>): Promise<A> {
    const settled = Promise.withResolvers<A>();
    const waiting = this.gathering.get(group) as Waiting<Q, A>[] | undefined;
    if (waiting) {
      waiting.push({ question, settled });
    } else {
      this.gathering.set(group, [{ question, settled }] as Waiting<unknown, unknown>[]);
      setTimeout(() => this.leave(group, most, flush), GATHER_MS);
    }
    return settled.promise;
  }

  private leave<Q, A>(group: string, most: number, flush: Flush<Q, A>): void {
    const waiting = this.gathering.get(group) as Waiting<Q, A>[];
    this.gathering.delete(group);
    for (let at = 0; at < waiting.length; at += most) void answer(waiting.slice(at, at + most), flush);
  }
}

async function answer<Q, A>(waiting: Waiting<Q, A>[], flush: Flush<Q, A>): Promise<void> {
  try {
    const answers = await flush(waiting.map(({ question }) => question));
    waiting.forEach(({ settled }, at) => settled.resolve(answers[at]!));
  } catch (error) {
    for (const { settled } of waiting) settled.reject(error);
  }
}
