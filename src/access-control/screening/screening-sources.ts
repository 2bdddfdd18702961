import { Injectable, Logger } from '@nestjs/common';
import { SanctionsApi } from './sanctions-api.js';
import { SanctionsList } from './sanctions-list.js';
import { ScreeningUnavailableError, type Listing, type ScreeningSource } from './screening-source.js';

/** The screening result for an address. */
export interface Screened {
  address: string;
  result: 'OK' | 'BLOCKED' | 'FAILED';
  /** The source's result, or the reason why there is none. */
  response: string;
}

/** All screening sources. Every configured one is queried; a single listing is enough. */
@Injectable()
export class ScreeningSources {
  private readonly log = new Logger('Screening');
  private readonly all: readonly ScreeningSource[];

  constructor(api: SanctionsApi, list: SanctionsList) {
    this.all = [api, list];
  }

  async ready(): Promise<ScreeningSource[]> {
    const states = await Promise.all(this.all.map((source) => source.isReady()));
    return this.all.filter((_, at) => states[at]);
  }

  /** Does not throw when a source is unavailable: the address is marked as failed, unless another source lists it. */
  async screen(addresses: readonly string[]): Promise<Screened[]> {
    const sources = await this.ready();
    const answers = await Promise.all(sources.map((source) => this.ask(source, addresses)));
    return addresses.map((address, at): Screened => {
      const hit = answers.map((listings) => listings?.[at]).find((listing) => listing);
      if (hit) return { address, result: 'BLOCKED', response: hit.about };
      if (sources.length === 0) return { address, result: 'FAILED', response: 'there is nothing to ask' };
      if (answers.includes(null)) return { address, result: 'FAILED', response: 'a source gave no sound answer' };
      return { address, result: 'OK', response: `not listed by ${sources.map(({ name }) => name).join(' and ')}` };
    });
  }

  private async ask(source: ScreeningSource, addresses: readonly string[]): Promise<Listing[] | null> {
    try {
      return await source.listings(addresses);
    } catch (error) {
      if (!(error instanceof ScreeningUnavailableError)) throw error;
      this.log.warn(`${source.name} cannot be queried: ${error.reason}`);
      return null;
    }
  }
}
