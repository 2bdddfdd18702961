import type { Rate } from './rate.js';

export interface KnownRate extends Rate {
  /** Whether the source determined it more than ten minutes ago. */
  isStale: boolean;
}

/** Exchange rates. Every rate is a source's statement with its date, never made up. */
export abstract class Rates {
  /** Empty until a source has answered. */
  abstract list(): Promise<KnownRate[]>;

  /** US dollars per unit of each currency, by code; stale rates are omitted. */
  async dollars(): Promise<ReadonlyMap<string, number>> {
    const fresh = (await this.list()).filter(({ isStale, type }) => !isStale && type === 'crypto');
    return new Map(fresh.map(({ code, value }) => [code, 1 / value]));
  }
}
