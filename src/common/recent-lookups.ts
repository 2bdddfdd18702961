import type { LRUCache } from 'lru-cache';
import { leastRecent } from './least-recent.js';

interface RecentLookupsOptions<K extends string, V extends object> {
  /** Answers kept at most; the least recently used goes first. */
  max: number;
  /** How old an answer may be, counted from the moment its look-up began. */
  ttlMs: number;
  find: (key: K) => Promise<V | null>;
}

interface Lookup<V> {
  readonly until: number;
  /** What was found; the promise while the look-up runs. */
  answer: V | Promise<V | null>;
}

/**
 * Look-ups of tenant configuration whose answers may be a moment old. Calls for one key share a look-up, so a burst
 * costs one statement. What was not found, or failed, is asked again: strangers cannot fill the memory with nothing.
 */
export class RecentLookups<K extends string, V extends object> {
  private readonly recent: LRUCache<K, Lookup<V>>;
  private readonly ttlMs: number;
  private readonly find: (key: K) => Promise<V | null>;

  constructor({ max, ttlMs, find }: RecentLookupsOptions<K, V>) {
    this.recent = leastRecent(max);
    this.ttlMs = ttlMs;
    this.find = find;
  }

  /** Answers at once what it knows, so that calls on the hot path wait for nothing. */
  get(key: K): V | Promise<V | null> {
    const now = performance.now();
    const known = this.recent.get(key);
    if (known && known.until > now) return known.answer;
    const answer = this.find(key);
    const lookup: Lookup<V> = { until: now + this.ttlMs, answer };
    this.recent.set(key, lookup);
    const forget = (): void => {
      if (this.recent.peek(key) === lookup) this.recent.delete(key);
    };
    answer.then((found) => {
      if (found) lookup.answer = found;
      else forget();
    }, forget);
    return answer;
  }

  /** Puts an answer that came along with another. */
  remember(key: K, value: V): void {
    this.recent.set(key, { until: performance.now() + this.ttlMs, answer: value });
  }

  /** Makes the next call look again, on this instance. */
  forget(key: K): void {
    this.recent.delete(key);
  }
}
