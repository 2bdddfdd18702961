import type { LRUCache } from 'lru-cache';
import { leastRecent } from '../common/least-recent.js';

interface RecentAnswersOptions {
  /** The cache size; the least recently used answer is evicted first. */
  max: number;
  /** The maximum age of an answer, measured from the start of its look-up. */
  ttlMs: number;
}

/**
 * A short-lived cache for look-ups that run on the caller's own transaction, so that no caller waits for another's
 * transaction. Outside transactions, `RecentLookups` shares them.
 */
export class RecentAnswers<K extends string, V extends object> {
  private readonly recent: LRUCache<K, { answer: V; until: number }>;
  private readonly ttlMs: number;
  private changes = 0;

  constructor({ max, ttlMs }: RecentAnswersOptions) {
    this.recent = leastRecent(max);
    this.ttlMs = ttlMs;
  }

  async get(key: K, find: () => Promise<V>): Promise<V> {
    const now = performance.now();
    const known = this.recent.get(key);
    if (known && known.until > now) return known.answer;
    const { changes } = this;
    const answer = await find();
    // A result read before a change must not be cached after it.
    if (changes === this.changes) this.recent.set(key, { answer, until: now + this.ttlMs });
    return answer;
  }

  /** Makes the next call look again, on this instance. */
  forget(key: K): void {
    this.changes += 1;
    this.recent.delete(key);
  }
}
