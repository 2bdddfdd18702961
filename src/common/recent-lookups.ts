import type { LRUCache } from 'lru-cache';
import { leastRecent } from './least-recent.js';

interface RecentLookupsOptions<K extends string, V extends object> {
  /** Maximum number of results; the least recently used one is evicted. */
  max: number;
  /** Maximum age of a result, measured from the start of its lookup. */
  ttlMs: number;
  find: (key: K) => Promise<V | null>;
}

interface Lookup<V> {
  readonly until: number;
  /** The result; a promise while the lookup is running. */
  answer: V | Promise<V | null>;
}

/**
 * A short-lived cache for lookups of tenant configuration. Concurrent calls for one key share a lookup, so that a burst
 * costs one query. Misses and failures are not cached, so that attackers cannot fill the memory with unknown keys.
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

  /** Returns cached results synchronously, for callers on the hot path. */
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

  /** Adds a result obtained elsewhere. */
  remember(key: K, value: V): void {
    this.recent.set(key, { until: performance.now() + this.ttlMs, answer: value });
  }

  /** Makes the next call on this instance look it up again. */
  forget(key: K): void {
    this.recent.delete(key);
  }
}
