import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Config } from '../../config/index.js';
import { SingleFlight } from '../sources/single-flight.js';
import { VendorClient } from '../sources/vendor-client.js';
import { VendorUnavailableError } from '../sources/vendor-unavailable.error.js';
import { Rates, type KnownRate } from './rates.js';
import { MOST_RATES, RATE_SOURCES } from './rate-sources.js';
import type { Rate, RateSource } from './rate.js';

const MAX_AGE_MS = 60_000;
/** Older rates are marked as stale. */
const STALE_MS = 600_000;
const MOST_KNOWN = RATE_SOURCES.length * MOST_RATES;
/** How long no source is asked after all have failed. */
const PAUSE_MS = 5_000;

/** Rates from all sources; per currency the first source counts. A rate that is no longer updated becomes stale. */
@Injectable()
export class PublishedRates extends Rates {
  private readonly known = new Map<string, Rate>();
  private readonly flights = new SingleFlight<void>();
  private askedAt = -Infinity;
  private pausedUntil = -Infinity;

  constructor(
    private readonly vendors: VendorClient,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async list(): Promise<KnownRate[]> {
    const now = this.clock.timestamp();
    if (now - this.askedAt >= MAX_AGE_MS && now >= this.pausedUntil)
      await this.flights.run('all', () => this.refresh());
    const seen = this.clock.timestamp();
    return [...this.known.values()].map((rate) => ({ ...rate, isStale: seen - rate.asOf > STALE_MS }));
  }

  private async refresh(): Promise<void> {
    const now = this.clock.timestamp();
    const answers = await Promise.all(RATE_SOURCES.map((source) => this.ask(source, now)));
    if (answers.every((rates) => rates.length === 0)) {
      this.pausedUntil = this.clock.timestamp() + PAUSE_MS;
      return;
    }
    this.askedAt = now;
    const fresh = new Map<string, Rate>();
    for (const rate of answers.flat()) {
      const first = fresh.get(rate.code);
      if (!first) fresh.set(rate.code, rate);
      // One source may have the rate, another the name.
      else if (first.name === first.code) first.name = rate.name;
    }
    for (const [code, rate] of fresh) {
      const known = this.known.get(code);
      if (!known || known.asOf <= rate.asOf) this.known.set(code, rate);
    }
    this.forget(fresh);
  }

  /** A source that names other currencies each time must not fill the memory. */
  private forget(fresh: ReadonlyMap<string, Rate>): void {
    for (const code of this.known.keys()) {
      if (this.known.size <= MOST_KNOWN) return;
      if (!fresh.has(code)) this.known.delete(code);
    }
  }

  /** Empty if the source failed: others may answer. */
  private async ask(source: RateSource, now: number): Promise<Rate[]> {
    const { name } = source;
    const url = this.config.get('PROVIDER_ADDRESSES')[name]?.api ?? source.url;
    try {
      return await this.vendors.text({ vendor: name, urls: [url] }, (text) => {
        try {
          return source.parse(text, now);
        } catch {
          throw new VendorUnavailableError(name, 'garbage');
        }
      });
    } catch (error) {
      if (error instanceof VendorUnavailableError) return [];
      throw error;
    }
  }
}
