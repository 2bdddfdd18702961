import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { Clock } from '../../common/clock.js';
import { Config } from '../../config/index.js';
import type { RateRule } from './rate-limit.js';

/** A limit without whom it counts for: the key says that. */
type Window = Omit<RateRule, 'per'>;

/** Part of a limit that an instance may take from the shared counter at once. */
const LEASE_SHARE = 20;
const MAX_LEASES = 50_000;

/** Calls taken from the shared counter, and the milliseconds until its window ends. */
interface Grant {
  granted: number;
  msLeft: number;
}

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
  private readonly pending = new Map<string, Promise<Grant>>();
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

  /**
   * Takes one call from the window of `key`. Answers null when admitted, else the seconds until the window ends; at
   * once while a lease lasts.
   */
  take(rule: Window, key: string): number | null | Promise<number | null> {
    const leaseKey = `${rule.name}:${key}`;
    return this.spend(leaseKey) ? null : this.takeShared(rule, key, leaseKey);
  }

  async onApplicationShutdown(): Promise<void> {
    this.redis?.disconnect();
  }

  private pointsOf(rule: Window): number {
    return Math.max(1, Math.round(rule.limit * this.config.get('RATE_LIMIT_SCALE')));
  }

  private spend(leaseKey: string): boolean {
    const lease = this.leases.get(leaseKey);
    if (!lease || lease.left === 0 || lease.until <= this.clock.timestamp()) return false;
    lease.left--;
    return true;
  }

  private async takeShared(rule: Window, key: string, leaseKey: string): Promise<number | null> {
    const points = this.pointsOf(rule);
    const chunk = Math.max(1, Math.floor(points / LEASE_SHARE));
    const counter = this.counterOf(rule, points);
    for (;;) {
      // Calls that arrive together wait for one lease; each taking its own would use up the window at once.
      const { granted, msLeft } = await (chunk === 1
        ? this.consume(counter, key, points, 1)
        : this.sharedLease(leaseKey, () => this.consume(counter, key, points, chunk)));
      if (granted === 0) return Math.max(1, Math.ceil(msLeft / 1000));
      if (chunk === 1 || this.spend(leaseKey)) return null;
    }
  }

  private sharedLease(leaseKey: string, consume: () => Promise<Grant>): Promise<Grant> {
    const known = this.pending.get(leaseKey);
    if (known) return known;
    const pending = consume()
      .then((grant) => {
        const { granted, msLeft } = grant;
        if (granted > 0) this.leases.set(leaseKey, { left: granted, until: this.clock.timestamp() + msLeft });
        return grant;
      })
      .finally(() => this.pending.delete(leaseKey));
    this.pending.set(leaseKey, pending);
    return pending;
  }

  private async consume(counter: RateLimiterAbstract, key: string, points: number, chunk: number): Promise<Grant> {
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

  private counterOf(rule: Window, points: number): RateLimiterAbstract {
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
