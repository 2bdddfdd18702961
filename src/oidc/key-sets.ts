import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../common/clock.js';
import { OutboundError, OutboundHttp, tenantFailure, type TenantFailure } from '../outbound/index.js';
import { KeySet } from './key-set.js';

const MAX_SETS = 1_000;
const TTL_MS = 10 * 60_000;
/** Strangers choose the key ids of tokens, so an unknown one is asked about no more often than this. */
const REFETCH_MS = 30_000;
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;

interface Fetched {
  set: KeySet | TenantFailure;
  /** When it was fetched. */
  at: number;
  /** When it was last asked for: later, where that failed and the set was still good. */
  askedAt: number;
}

/** Keys that other services publish, fetched from the addresses of the settings and from nowhere else. */
@Injectable()
export class KeySets {
  private readonly sets = new LRUCache<string, Fetched>({ max: MAX_SETS });
  private readonly underWay = new Map<string, Promise<Fetched['set']>>();

  constructor(
    private readonly http: OutboundHttp,
    private readonly clock: Clock,
  ) {}

  /**
   * The keys at an address, ten minutes old at most, or what went wrong. With `isMissing`, a set that lacks what is
   * looked for is fetched again, if it is older than half a minute. So is one that could not be fetched.
   */
  async at(url: string, isMissing: (set: KeySet) => boolean): Promise<KeySet | TenantFailure> {
    const known = this.sets.get(url);
    const now = this.clock.timestamp();
    const isUsable = known?.set instanceof KeySet && !isMissing(known.set);
    if (known && (isUsable ? now - known.at < TTL_MS : now - known.askedAt < REFETCH_MS)) return known.set;
    return this.fetchOnce(url);
  }

  /** Callers that find the same old set share one request. */
  private fetchOnce(url: string): Promise<Fetched['set']> {
    const underWay = this.underWay.get(url);
    if (underWay) return underWay;
    const fetching = this.fetch(url).finally(() => this.underWay.delete(url));
    this.underWay.set(url, fetching);
    return fetching;
  }

  /** Whoever looked for another key is told what went wrong; those whose keys are known and not old go on with them. */
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
