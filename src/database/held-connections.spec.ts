import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { HeldConnections } from './held-connections.js';

/** A pool that counts, and can be made to have no connection. */
class CountingPool {
  out = 0;
  isGone = false;
  constructor(
    readonly bounds: { most: number; waitMs: number },
    readonly broken: boolean[] = [],
  ) {}
  connect(): Promise<PoolClient> {
    if (this.isGone) return Promise.reject(new Error('gone'));
    this.out += 1;
    const release = (broken: boolean): void => {
      this.out -= 1;
      this.broken.push(broken);
    };
    return Promise.resolve({ release } as unknown as PoolClient);
  }
}

describe('connections that are held for a whole call', () => {
  it.each([
    [15, 7],
    [10, 5],
    [3, 1],
    [2, 1],
    [1, 1],
  ])('are of a pool of %d at most %d', async (most, held) => {
    const pool = new CountingPool({ most, waitMs: 20 });
    const holders = new HeldConnections(pool);
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => holders.connect()));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(held);
    expect(pool.out).toBe(held);
    expect(asked.at(-1)).toMatchObject({ reason: { code: 'service_unavailable', details: { retryAfterSeconds: 2 } } });
  });

  it('are handed on in the order of asking, and none is lost', async () => {
    const pool = new CountingPool({ most: 2, waitMs: 30_000 });
    const holders = new HeldConnections(pool);
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 10 }, async (_, index) => {
        const client = await holders.connect();
        order.push(index);
        expect(pool.out).toBe(1);
        await sleep(1);
        holders.release(client, index % 2 === 0);
      }),
    );
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(pool.broken).toEqual([true, false, true, false, true, false, true, false, true, false]);
  });

  it('leave no place taken where the pool had none to give, or nobody waited any more', async () => {
    const pool = new CountingPool({ most: 2, waitMs: 10 });
    const holders = new HeldConnections(pool);
    pool.isGone = true;
    await expect(holders.connect()).rejects.toThrow('gone');
    pool.isGone = false;
    const first = await holders.connect();
    await expect(holders.connect()).rejects.toMatchObject({ status: 503 });
    holders.release(first, false);
    const next = await holders.connect();
    holders.release(next, false);
    expect(pool.out).toBe(0);
  });
});
