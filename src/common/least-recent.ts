import { LRUCache } from 'lru-cache';

interface Lifetime {
  /** Milliseconds. */
  ttl?: number;
  perf?: { now(): number };
}

/**
 * A map of at most so many entries, which forgets the one that was used longest ago. It takes memory as it fills: told a
 * `max`, the cache takes 22 bytes at once for each entry that it may ever have, and thousands of entries in a dozen
 * caches were megabytes of every idle instance.
 */
export const leastRecent = <K extends string, V extends object | true>(
  most: number,
  lifetime: Lifetime = {},
): LRUCache<K, V> => new LRUCache<K, V>({ maxSize: most, sizeCalculation: () => 1, ...lifetime });
