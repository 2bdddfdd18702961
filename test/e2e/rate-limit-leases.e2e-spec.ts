import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from '@jest/globals';
import { RateLimiter } from '../../src/auth/rate-limit/rate-limiter.js';
import { Clock } from '../../src/common/clock.js';
import { Config } from '../../src/config/index.js';
import { eventually } from '../support/receiver.js';
import { redisUrl } from '../support/redis.js';

const LIMIT = { name: 'leases', limit: 1000, windowSeconds: 60 };

describe('a limit that instances share', () => {
  const limiters: RateLimiter[] = [];
  const begin = async (): Promise<RateLimiter> => {
    const config = Config.load({
      ...{
        NODE_ENV: 'test',
        DATABASE_URL: 'postgres://127.0.0.1/unused',
        REDIS_URL: redisUrl(),
        REDIS_WAIT_MS: '30000',
      },
      MASTER_KEY: process.env['GATEHOUSE_TEST_MASTER_KEY'],
    });
    const limiter = new RateLimiter(config, new Clock());
    limiters.push(limiter);
    await eventually('connected', () => limiter['redis']?.status === 'ready');
    return limiter;
  };

  /** How many of `calls` are admitted. */
  async function admitted(limiter: RateLimiter, key: string, calls: number): Promise<number> {
    let count = 0;
    for (let call = 0; call < calls; call++) if ((await limiter.take(LIMIT, key)) === null) count++;
    return count;
  }

  afterAll(() => Promise.all(limiters.map((limiter) => limiter.onApplicationShutdown())));

  it('loses hardly anything to instances that take one call each and end', async () => {
    const key = randomUUID();
    await Promise.all(Array.from({ length: 40 }, async () => expect(await admitted(await begin(), key, 1)).toBe(1)));
    const survivor = await admitted(await begin(), key, 2 * LIMIT.limit);
    expect(survivor).toBeGreaterThanOrEqual(800);
    expect(survivor + 40).toBeLessThanOrEqual(LIMIT.limit);
  });

  it('admits as many calls as it says, however they are spread over instances', async () => {
    const key = randomUUID();
    const counts = await Promise.all(Array.from({ length: 4 }, async () => admitted(await begin(), key, LIMIT.limit)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(LIMIT.limit);
  });
});
