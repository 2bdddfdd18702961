import { LRUCache } from 'lru-cache';

interface Lifetime {
  /** Milliseconds. */
  ttl?: number;
  perf?: { now(): number };
}

/**
 * An LRU map with a limited number of entries, which allocates memory only as it fills. With `max`, the library would
 * allocate 22 bytes per possible entry up front: megabytes per idle instance for a dozen caches.
 */
export const leastRecent = <K extends string, V extends object | true>(
  most: number,
  lifetime: Lifetime = {},
): LRUCache<K, V> => new LRUCache<K, V>({ maxSize: most, sizeCalculation: () => 1, ...lifetime });
