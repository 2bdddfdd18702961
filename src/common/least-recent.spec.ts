import { describe, expect, it } from '@jest/globals';
import { LRUCache } from 'lru-cache';
import { leastRecent } from './least-recent.js';

/** What V8 has in use beyond what it had, without what nobody needs any more. */
function bytesOf(make: () => object): number {
  const before = process.memoryUsage();
  const kept = [make(), make(), make(), make()];
  const after = process.memoryUsage();
  expect(kept).toHaveLength(4);
  return (after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / kept.length;
}

describe('a map that forgets what was used longest ago', () => {
  it('keeps so many entries and no more', () => {
    const map = leastRecent<string, { at: number }>(3);
    for (const [at, key] of ['a', 'b', 'c'].entries()) map.set(key, { at });
    map.get('a');
    map.set('d', { at: 3 });
    expect([...map.keys()].sort()).toEqual(['a', 'c', 'd']);
    map.set('d', { at: 4 });
    expect(map.size).toBe(3);
  });

  it('takes no memory for entries that it does not have', () => {
    const many = 200_000;
    expect(bytesOf(() => leastRecent(many))).toBeLessThan(200_000);
    expect(bytesOf(() => new LRUCache({ max: many }))).toBeGreaterThan(2_000_000);
  });
});
