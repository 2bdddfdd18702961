import { Injectable, Logger } from '@nestjs/common';
import { SanctionsApi } from './sanctions-api.js';
import { SanctionsList } from './sanctions-list.js';
import { ScreeningUnavailableError, type Listing, type ScreeningSource } from './screening-source.js';

/** What is known of an address. */
export interface Screened {
  address: string;
  result: 'OK' | 'BLOCKED' | 'FAILED';
  /** What the source says, or why it says nothing. */
  response: string;
}

/** All that can be asked about addresses. Each that is there is asked: one that lists an address is enough. */
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

  /** Never throws for a source that is away: what nobody could say has failed, unless another lists the address. */
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
