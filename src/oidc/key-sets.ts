import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../common/clock.js';
import { OutboundError, OutboundHttp, tenantFailure, type TenantFailure } from '../outbound/index.js';
import { KeySet } from './key-set.js';

const MAX_SETS = 1_000;
const TTL_MS = 10 * 60_000;
/** Minimum interval between refetches for unknown key ids, which attackers can choose freely. */
const REFETCH_MS = 30_000;
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;

interface Fetched {
  set: KeySet | TenantFailure;
  /** When it was fetched. */
  at: number;
  /** When it was last requested; later than the fetch if a refresh failed while the set was still valid. */
  askedAt: number;
}

/** Caches the published keys of other services, fetched only from configured addresses. */
@Injectable()
export class KeySets {
  private readonly sets = new LRUCache<string, Fetched>({ max: MAX_SETS });
  private readonly underWay = new Map<string, Promise<Fetched['set']>>();

  constructor(
    private readonly http: OutboundHttp,
    private readonly clock: Clock,
  ) {}

  /**
   * The keys at an address, at most ten minutes old, or the error. With `isMissing`, a set without the wanted key is fetched
   * again if it is older than half a minute, and so is one that could not be fetched.
   */
  async at(url: string, isMissing: (set: KeySet) => boolean): Promise<KeySet | TenantFailure> {
    const known = this.sets.get(url);
    const now = this.clock.timestamp();
    const isUsable = known?.set instanceof KeySet && !isMissing(known.set);
    if (known && (isUsable ? now - known.at < TTL_MS : now - known.askedAt < REFETCH_MS)) return known.set;
    return this.fetchOnce(url);
  }

  /** Concurrent refreshes of a set share one request. */
  private fetchOnce(url: string): Promise<Fetched['set']> {
    const underWay = this.underWay.get(url);
    if (underWay) return underWay;
    const fetching = this.fetch(url).finally(() => this.underWay.delete(url));
    this.underWay.set(url, fetching);
    return fetching;
  }

  /** A failed refresh is only an error for callers that need another key; others continue with a set that is not too old. */
  private async fetch(url: string): Promise<Fetched['set']> {
    const set = await this.request(url);
    const now = this.clock.timestamp();
    const known = this.sets.get(url);
    const isStillGood = known?.set instanceof KeySet && now - known.at < TTL_MS;
    const kept = isStillGood && !(set instanceof KeySet) ? known : { set, at: now };
    this.sets.set(url, { ...kept, askedAt: now });
    return set;
  }

  private async request(url: string): Promise<KeySet | TenantFailure> {
    try {
      const headers = { accept: 'application/jwk-set+json, application/json' };
      const answer = await this.http.send({
        method: 'GET',
        url,
        headers,
        timeoutMs: TIMEOUT_MS,
        maxResponseBytes: MAX_BYTES,
      });
      const set = answer.status === 200 && !answer.truncated ? KeySet.parse(answer.body.toString('utf8')) : null;
      return set ?? 'status';
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return tenantFailure(error.kind);
    }
  }
}
