import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { leastRecent } from '../../common/least-recent.js';
import { Clock } from '../../common/clock.js';
import { Config } from '../../config/index.js';
import { ApiError, tooManyRequests } from '../../common/errors/index.js';
import type { ClientOrigin } from '../params.js';
import { addressKey } from './address-key.js';
import type { RateRule } from './rate-limit.js';

/** A rate limit without what it counts by: the key says that. */
type Window = Omit<RateRule, 'per'>;

/** Divisor: the largest lease is this fraction of a limit. */
const LEASE_SHARE = 20;
/** Divisor: the first lease is this fraction of the largest. Leased calls are lost for the window if the instance stops. */
const FIRST_SHARE = 16;
const MAX_LEASES = 50_000;

/** Calls leased from the shared counter, and the milliseconds until its window ends. */
interface Grant {
  granted: number;
  msLeft: number;
}

interface Lease {
  size: number;
  left: number;
  until: number;
}

/** How long a failed Redis is skipped; then one call tries it again. */
const ALONE_MS = 1_000;

/** The counters of one limit: the shared one on Redis, and the local one. */
interface Counters {
  shared: RateLimiterAbstract | null;
  local: RateLimiterAbstract;
}

/**
 * Counts calls against rate limits: shared on Redis, or in memory without Redis or while it is down. A slow or failing Redis
 * delays one call per second by at most REDIS_WAIT_MS, and no others. An instance leases calls in batches, doubling up to a
 * twentieth of the limit: most calls need no round trip, all instances together never exceed the limit, and an instance
 * that stops wastes little. Limits of twenty or less are counted one by one.
 */
@Injectable()
export class RateLimiter implements OnApplicationShutdown {
  private readonly log = new Logger('RateLimiter');
  private readonly redis: Redis | null;
  private readonly counters = new Map<string, Counters>();
  private readonly pending = new Map<string, Promise<Grant>>();
  private readonly leases = leastRecent<string, Lease>(MAX_LEASES);
  /** Until this `performance.now()` time, calls are counted locally; 0 while Redis responds. */
  private aloneUntil = 0;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    const url = config.get('REDIS_URL');
    this.redis = url
      ? new Redis(url, {
          enableOfflineQueue: false,
          maxRetriesPerRequest: 1,
          commandTimeout: config.get('REDIS_WAIT_MS'),
        })
      : null;
    this.redis?.on('error', (error: Error) => this.standAlone(error));
  }

  /**
   * Takes one call from the window of `key`. Returns null if admitted, else the seconds until the window ends. Synchronous
   * while a lease lasts.
   */
  take(rule: Window, key: string): number | null | Promise<number | null> {
    const leaseKey = `${windowOf(rule)}:${key}`;
    return this.spend(leaseKey) ? null : this.takeShared(rule, key, leaseKey);
  }

  /** Counts a call by client address, for limits that are shared by several operations. @throws ApiError 429 */
  async assertWithin(rule: RateRule, { ipAddress }: Pick<ClientOrigin, 'ipAddress'>): Promise<void> {
    const waitSeconds = await this.take(rule, addressKey(ipAddress || undefined));
    if (waitSeconds !== null) throw beyondLimit(rule, waitSeconds);
  }

  /**
   * Takes a call for some work, and refunds it if the service fails, so that retries are not refused for work that was never
   * done.
   *
   * @param isGivenBack which failures cost nothing
   * @throws ApiError 429, and what the work throws
   */
  async within<T>(
    rule: Window,
    key: string,
    work: () => Promise<T>,
    isGivenBack: (error: unknown) => boolean = isOfService,
  ): Promise<T> {
    const waitSeconds = await this.take(rule, key);
    if (waitSeconds !== null) throw beyondLimit(rule, waitSeconds);
    try {
      return await work();
    } catch (error) {
      if (isGivenBack(error)) await this.giveBack(rule, key);
      throw error;
    }
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

  private async giveBack(rule: Window, key: string): Promise<void> {
    const lease = this.leases.get(`${windowOf(rule)}:${key}`);
    if (lease) return void lease.left++;
    const { shared, local } = this.countersOf(rule, this.pointsOf(rule));
    const counter = shared && this.aloneUntil === 0 ? shared : local;
    // A failed refund must not hide the original error.
    await counter
      .reward(key, 1)
      .catch((error: Error) => this.log.warn(`A call could not be refunded: ${error.message}`));
  }

  private async takeShared(rule: Window, key: string, leaseKey: string): Promise<number | null> {
    const points = this.pointsOf(rule);
    const most = Math.max(1, Math.floor(points / LEASE_SHARE));
    const counters = this.countersOf(rule, points);
    for (;;) {
      // Concurrent calls share one lease; if each took its own, they would exhaust the window.
      const { granted, msLeft } = await (most === 1
        ? this.consume(counters, key, points, 1)
        : this.sharedLease(leaseKey, most, (size) => this.consume(counters, key, points, size)));
      if (granted === 0) return Math.max(1, Math.ceil(msLeft / 1000));
      if (most === 1 || this.spend(leaseKey)) return null;
    }
  }

  private sharedLease(leaseKey: string, most: number, consume: (size: number) => Promise<Grant>): Promise<Grant> {
    const known = this.pending.get(leaseKey);
    if (known) return known;
    const size = this.nextSize(leaseKey, most);
    const pending = consume(size)
      .then((grant) => {
        const { granted, msLeft } = grant;
        if (granted > 0) this.leases.set(leaseKey, { size, left: granted, until: this.clock.timestamp() + msLeft });
        return grant;
      })
      .finally(() => this.pending.delete(leaseKey));
    this.pending.set(leaseKey, pending);
    return pending;
  }

  /** Twice the previous lease in the same window. */
  private nextSize(leaseKey: string, most: number): number {
    const last = this.leases.get(leaseKey);
    if (!last || last.until <= this.clock.timestamp()) return Math.max(1, Math.floor(most / FIRST_SHARE));
    return Math.min(most, 2 * last.size);
  }

  private async consume(counters: Counters, key: string, points: number, chunk: number): Promise<Grant> {
    if (counters.shared && this.asksRedis()) {
      try {
        const grant = await consume(counters.shared, key, points, chunk);
        if (this.aloneUntil > 0) this.log.log('Redis is back: rate limits are shared again.');
        this.aloneUntil = 0;
        return grant;
      } catch (error) {
        this.standAlone(error as Error);
      }
    }
    return consume(counters.local, key, points, chunk);
  }

  /** While Redis is down, only one call at a time checks whether it is back. */
  private asksRedis(): boolean {
    if (this.aloneUntil === 0) return true;
    const now = performance.now();
    if (now < this.aloneUntil) return false;
    this.aloneUntil = now + ALONE_MS;
    return true;
  }

  private standAlone(error: Error): void {
    if (this.aloneUntil === 0)
      this.log.warn(`Redis: ${error.message}. Until it is back, each instance counts rate limits alone.`);
    this.aloneUntil = performance.now() + ALONE_MS;
  }

  private countersOf(rule: Window, points: number): Counters {
    const window = windowOf(rule);
    let counters = this.counters.get(window);
    if (!counters) {
      const options = { points, duration: rule.windowSeconds, keyPrefix: `gatehouse:limit:${window}` };
      counters = {
        shared: this.redis ? new RateLimiterRedis({ ...options, storeClient: this.redis }) : null,
        local: new RateLimiterMemory(options),
      };
      this.counters.set(window, counters);
    }
    return counters;
  }
}

const isOfService = (error: unknown): boolean => !(error instanceof ApiError) || error.status >= 500;
/** What its calls are counted under: limits of one name that admit something else are two. */
const windowOf = ({ name, limit, windowSeconds }: Window): string => `${name}:${limit}/${windowSeconds}`;

export const beyondLimit = ({ limit, windowSeconds }: Window, retryAfterSeconds: number): Error =>
  tooManyRequests({ retryAfterSeconds, limit: { most: limit, windowSeconds } });

/** @throws the error of the store if it could not count */
async function consume(counter: RateLimiterAbstract, key: string, points: number, chunk: number): Promise<Grant> {
  try {
    const { msBeforeNext } = await counter.consume(key, chunk);
    return { granted: chunk, msLeft: msBeforeNext };
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    // The last lease may exceed what was left; what remained is still granted.
    const before = refusal.consumedPoints - chunk;
    return { granted: Math.max(0, points - before), msLeft: refusal.msBeforeNext };
  }
}
