import type { Rate } from './rate.js';

export interface KnownRate extends Rate {
  /** Whether the source said so more than ten minutes ago. */
  isStale: boolean;
}

/** What currencies are worth. A rate is somebody's word with its date, and never made up. */
export abstract class Rates {
  /** Empty while no source has answered. */
  abstract list(): Promise<KnownRate[]>;

  /** US dollars for one unit of each currency, by code; only what is not stale. */
  async dollars(): Promise<ReadonlyMap<string, number>> {
    const fresh = (await this.list()).filter(({ isStale, type }) => !isStale && type === 'crypto');
    return new Map(fresh.map(({ code, value }) => [code, 1 / value]));
  }
}
