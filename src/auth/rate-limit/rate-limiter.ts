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

/** A limit without whom it counts for: the key says that. */
type Window = Omit<RateRule, 'per'>;

/** Part of a limit that an instance may take from the shared counter at once, when it has shown that it needs that much. */
const LEASE_SHARE = 20;
/** Part of that which it takes first. What it has taken is gone for the rest of the window should it end. */
const FIRST_SHARE = 16;
const MAX_LEASES = 50_000;

/** Calls taken from the shared counter, and the milliseconds until its window ends. */
interface Grant {
  granted: number;
  msLeft: number;
}

interface Lease {
  size: number;
  left: number;
  until: number;
}

/** For so long nobody waits for a Redis that has failed; then one call tries it again. */
const ALONE_MS = 1_000;

/** The counters of one limit: on Redis for all instances, and here. */
interface Counters {
  shared: RateLimiterAbstract | null;
  local: RateLimiterAbstract;
}

/**
 * Counts calls against the limits: shared on Redis, in memory without it or while it is away. A Redis that is slow or
 * refuses costs one call in a second the wait of REDIS_WAIT_MS, and the others nothing. An instance leases some calls at a time,
 * twice as many whenever they are used up, to a twentieth of the limit: most calls cost no round trip, the sum over all
 * instances never exceeds the limit, and an instance that ends takes little with it. Limits of twenty and less are counted
 * one by one.
 */
@Injectable()
export class RateLimiter implements OnApplicationShutdown {
  private readonly log = new Logger('RateLimiter');
  private readonly redis: Redis | null;
  private readonly counters = new Map<string, Counters>();
  private readonly pending = new Map<string, Promise<Grant>>();
  private readonly leases = leastRecent<string, Lease>(MAX_LEASES);
  /** Until then, on the clock of `performance.now`, calls are counted here; 0 while Redis answers. */
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
   * Takes one call from the window of `key`. Answers null when admitted, else the seconds until the window ends; at
   * once while a lease lasts.
   */
  take(rule: Window, key: string): number | null | Promise<number | null> {
    const leaseKey = `${windowOf(rule)}:${key}`;
    return this.spend(leaseKey) ? null : this.takeShared(rule, key, leaseKey);
  }

  /** Takes one call of a client, for what counts wherever it is asked from. @throws ApiError 429 */
  async assertWithin(rule: RateRule, { ipAddress }: Pick<ClientOrigin, 'ipAddress'>): Promise<void> {
    const waitSeconds = await this.take(rule, addressKey(ipAddress || undefined));
    if (waitSeconds !== null) throw beyondLimit(rule, waitSeconds);
  }

  /**
   * Takes a call for some work, and gives it back where the service fails in it: whoever comes again, as they are told to, is
   * not kept out for what they did not get.
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
    // A call that stays taken is no more than that: what has failed is told all the same.
    await counter
      .reward(key, 1)
      .catch((error: Error) => this.log.warn(`A call could not be refunded: ${error.message}`));
  }

  private async takeShared(rule: Window, key: string, leaseKey: string): Promise<number | null> {
    const points = this.pointsOf(rule);
    const most = Math.max(1, Math.floor(points / LEASE_SHARE));
    const counters = this.countersOf(rule, points);
    for (;;) {
      // Calls that arrive together wait for one lease; each taking its own would use up the window at once.
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

  /** Twice the lease before it in the same window. */
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

  /** While Redis is away one call at a time finds out whether it is back. */
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

/** @throws what the store threw, when it could not count */
async function consume(counter: RateLimiterAbstract, key: string, points: number, chunk: number): Promise<Grant> {
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
