import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { addressKey } from './address-key.js';
import type { SanctionedAddress } from './ofac-list.js';
import { SanctionsListsRepository, type SanctionsVersion } from './sanctions-lists.repository.js';
import { ScreeningSource, ScreeningUnavailableError, type Listing } from './screening-source.js';

/** How soon after an import every instance uses the new list. */
const LOOKS_AGAIN_MS = 10_000;

interface Loaded {
  version: SanctionsVersion;
  byKey: ReadonlyMap<string, SanctionedAddress>;
}

/** The list imported by the operator, held in memory. */
@Injectable()
export class SanctionsList extends ScreeningSource {
  override readonly name = 'sanctions-list';
  private loaded: Loaded | null = null;
  private validUntil = -Infinity;

  constructor(
    private readonly lists: SanctionsListsRepository,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async isReady(): Promise<boolean> {
    return (await this.current()) !== null;
  }

  /** On this instance the next caller checks for a newer list. */
  forget(): void {
    this.validUntil = -Infinity;
  }

  override async listings(addresses: readonly string[]): Promise<Listing[]> {
    const list = await this.current();
    if (!list) throw new ScreeningUnavailableError('unreachable');
    const { version, byKey } = list;
    return addresses.map((address) => {
      const found = byKey.get(addressKey(address));
      const published = version.publishedOn ? ` of ${version.publishedOn}` : '';
      return found ? { about: `OFAC SDN ${found.entry} ${found.name} (${found.currency}), list${published}` } : null;
    });
  }

  private async current(): Promise<Loaded | null> {
    if (this.clock.timestamp() < this.validUntil) return this.loaded;
    const version = await this.lists.findNewest();
    if (version?.id !== this.loaded?.version.id) this.loaded = version && (await this.load(version));
    if (this.loaded) this.validUntil = this.clock.timestamp() + LOOKS_AGAIN_MS;
    return this.loaded;
  }

  private async load(version: SanctionsVersion): Promise<Loaded> {
    const addresses = await this.lists.readAddresses(version.id);
    return { version, byKey: new Map(addresses.map((one) => [addressKey(one.address), one])) };
  }
}
