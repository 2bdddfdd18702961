import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { Clock } from '../../common/clock.js';
import { Config } from '../../config/index.js';
import type { RateRule } from './rate-limit.js';

/** Part of a limit that an instance may take from the shared counter at once. */
const LEASE_SHARE = 20;
const MAX_LEASES = 50_000;

interface Lease {
  left: number;
  until: number;
}

/**
 * Counts calls against the limits: shared on Redis, in memory without it or while it is away.
 * An instance leases a twentieth of a limit at a time, so most calls cost no round trip and the sum over all instances
 * never exceeds the limit. Limits of twenty and less are counted one by one.
 */
@Injectable()
export class RateLimiter implements OnApplicationShutdown {
  private readonly log = new Logger('RateLimiter');
  private readonly redis: Redis | null;
  private readonly counters = new Map<string, RateLimiterAbstract>();
  private readonly leases = new LRUCache<string, Lease>({ max: MAX_LEASES });

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    const url = config.get('REDIS_URL');
    this.redis = url
      ? new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 200 })
      : null;
    this.redis?.on('error', (error: Error) => this.log.warn(`Redis: ${error.message}`));
  }

  /** Takes one call from the window of `key`. Answers null when admitted, else the seconds until the window ends. */
  async take(rule: RateRule, key: string): Promise<number | null> {
    const leaseKey = `${rule.name}:${key}`;
    const lease = this.leases.get(leaseKey);
    const now = this.clock.timestamp();
    if (lease && lease.left > 0 && lease.until > now) {
      lease.left--;
      return null;
    }
    const points = this.pointsOf(rule);
    const chunk = Math.max(1, Math.floor(points / LEASE_SHARE));
    const { granted, msLeft } = await this.consume(this.counterOf(rule, points), key, points, chunk);
    if (granted === 0) return Math.max(1, Math.ceil(msLeft / 1000));
    if (granted > 1) this.keep(leaseKey, granted - 1, now + msLeft, now);
    return null;
  }

  async onApplicationShutdown(): Promise<void> {
    this.redis?.disconnect();
  }

  private pointsOf(rule: RateRule): number {
    return Math.max(1, Math.round(rule.limit * this.config.get('RATE_LIMIT_SCALE')));
  }

  /** A parallel call may have leased meanwhile: permits are added, never replaced. */
  private keep(key: string, permits: number, until: number, now: number): void {
    const known = this.leases.get(key);
    if (known && known.until > now) known.left += permits;
    else this.leases.set(key, { left: permits, until });
  }

  private async consume(
    counter: RateLimiterAbstract,
    key: string,
    points: number,
    chunk: number,
  ): Promise<{ granted: number; msLeft: number }> {
    try {
      const { msBeforeNext } = await counter.consume(key, chunk);
      return { granted: chunk, msLeft: msBeforeNext };
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      // The last lease may be larger than what was left; the rest of the window is still ours.
      const before = refusal.consumedPoints - chunk;
      return { granted: Math.max(0, points - before), msLeft: refusal.msBeforeNext };
    }
  }

  private counterOf(rule: RateRule, points: number): RateLimiterAbstract {
    let counter = this.counters.get(rule.name);
    if (!counter) {
      const options = { points, duration: rule.windowSeconds, keyPrefix: `gatehouse:limit:${rule.name}` };
      const local = new RateLimiterMemory(options);
      counter = this.redis
        ? new RateLimiterRedis({ ...options, storeClient: this.redis, insuranceLimiter: local })
        : local;
      this.counters.set(rule.name, counter);
    }
    return counter;
  }
}
