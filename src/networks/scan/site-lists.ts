import { readFile } from 'node:fs/promises';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Config } from '../../config/index.js';
import { assertListFiles, isListAddress } from '../sources/list-files.js';
import { SingleFlight } from '../sources/single-flight.js';
import { VendorClient } from '../sources/vendor-client.js';
import { VendorUnavailableError } from '../sources/vendor-unavailable.error.js';
import { KnownSites, siteOf } from './look-alike.js';
import { parseSiteList, type SiteList } from './site-list.js';

const VENDOR = 'site-list';
const MAX_AGE_MS = 3_600_000;
const RETRY_MS = 60_000;
const MAX_BYTES = 16 * 1024 * 1024;

/** The deployment's lists, merged for lookup. */
export interface JoinedLists {
  isConfigured: boolean;
  blocked: ReadonlySet<string>;
  allowed: ReadonlySet<string>;
  known: KnownSites;
}

const join = (lists: readonly SiteList[], isConfigured: boolean): JoinedLists => {
  const allowed = new Set(lists.flatMap((list) => list.allowed));
  const sites = new Set([...allowed].flatMap((name) => siteOf(name) ?? []));
  return {
    isConfigured,
    allowed,
    blocked: new Set(lists.flatMap((list) => list.blocked)),
    known: new KnownSites(sites),
  };
};

/** `SCAN_BLOCK_LISTS` and `SCAN_ALLOW_LISTS`, reloaded every hour. If a list cannot be read, its last content stays. */
@Injectable()
export class SiteLists implements OnModuleInit {
  private readonly log = new Logger('SiteLists');
  private readonly flights = new SingleFlight<void>();
  private readonly read = new Map<string, SiteList>();
  private joined = join([], false);
  private validUntil = -Infinity;

  constructor(
    private readonly config: Config,
    private readonly vendors: VendorClient,
    private readonly clock: Clock,
  ) {}

  /** @throws ConfigError */
  onModuleInit(): Promise<void> {
    return assertListFiles(this.config, ['SCAN_BLOCK_LISTS', 'SCAN_ALLOW_LISTS']);
  }

  async get(): Promise<JoinedLists> {
    if (this.clock.timestamp() >= this.validUntil) {
      const reading = this.flights.run('read', () => this.readAll());
      // During a reload the previous content is served, so that a hanging list delays nobody. After a long pause
      // callers wait: content that is hours old is outdated.
      if (this.clock.timestamp() - this.validUntil > MAX_AGE_MS) await reading;
    }
    return this.joined;
  }

  private async readAll(): Promise<void> {
    const places = [
      ...this.config.get('SCAN_BLOCK_LISTS').map((place) => ({ place, kind: 'blocked' as const })),
      ...this.config.get('SCAN_ALLOW_LISTS').map((place) => ({ place, kind: 'allowed' as const })),
    ];
    const done = await Promise.all(places.map(({ place, kind }) => this.readOne(place, kind)));
    this.joined = join([...this.read.values()], places.length > 0);
    this.validUntil = this.clock.timestamp() + (done.every(Boolean) ? MAX_AGE_MS : RETRY_MS);
  }

  private async readOne(place: string, kind: 'blocked' | 'allowed'): Promise<boolean> {
    const parse = (text: string): SiteList => parseSiteList(text, kind);
    // A file may be empty; an address that answers nothing has not said that the list is.
    const parseAnswer = (text: string): SiteList => {
      if (text === '') throw new VendorUnavailableError(VENDOR, 'garbage');
      return parse(text);
    };
    try {
      const list = isListAddress(place)
        ? await this.vendors.text({ vendor: VENDOR, urls: [place], maxBytes: MAX_BYTES }, parseAnswer)
        : parse(await readFile(place, 'utf8'));
      this.read.set(`${kind} ${place}`, list);
      return true;
    } catch (error) {
      this.log.warn(`A site list cannot be read: ${(error as Error).name}`);
      return false;
    }
  }
}
