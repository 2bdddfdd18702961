import type { LRUCache } from 'lru-cache';
import { leastRecent } from '../common/least-recent.js';

interface RecentAnswersOptions {
  /** Answers kept at most; the least recently used goes first. */
  max: number;
  /** How old an answer may be, counted from the moment its look-up began. */
  ttlMs: number;
}

/**
 * Answers that may be a moment old, of look-ups that callers make themselves: whoever is in a transaction reads through
 * it, so that nobody waits for a transaction of another. Where nobody is in one, `RecentLookups` shares them.
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
    // What was read before a change must not be kept after it.
    if (changes === this.changes) this.recent.set(key, { answer, until: now + this.ttlMs });
    return answer;
  }

  /** Makes the next call look again, on this instance. */
  forget(key: K): void {
    this.changes += 1;
    this.recent.delete(key);
  }
}
