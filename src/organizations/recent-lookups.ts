import { LRUCache } from 'lru-cache';

interface RecentLookupsOptions<K extends string, V extends object> {
  /** Answers kept at most; the least recently used goes first. */
  max: number;
  /** How old an answer may be, counted from the moment its look-up began. */
  ttlMs: number;
  find: (key: K) => Promise<V | null>;
}

/**
 * Look-ups of tenant configuration whose answers may be a moment old. Calls for one key share a look-up, so a burst
 * costs one statement. What was not found, or failed, is asked again: strangers cannot fill the memory with nothing.
 */
export class RecentLookups<K extends string, V extends object> {
  private readonly recent: LRUCache<K, Promise<V | null>>;
  private readonly find: (key: K) => Promise<V | null>;

  constructor({ max, ttlMs, find }: RecentLookupsOptions<K, V>) {
    this.recent = new LRUCache({ max, ttl: ttlMs });
    this.find = find;
  }

  get(key: K): Promise<V | null> {
    const known = this.recent.get(key);
    if (known) return known;
    const lookup = this.find(key);
    this.recent.set(key, lookup);
    const forget = (): void => {
      if (this.recent.peek(key) === lookup) this.recent.delete(key);
    };
    lookup.then((found) => {
      if (!found) forget();
    }, forget);
    return lookup;
  }

  /** Puts an answer that came along with another. */
  remember(key: K, value: V): void {
    this.recent.set(key, Promise.resolve(value));
  }

  /** Makes the next call look again, on this instance. */
  forget(key: K): void {
    this.recent.delete(key);
  }
}
