import { readFile } from 'node:fs/promises';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Config } from '../../config/index.js';
import { assertListFiles, isListAddress } from '../sources/list-files.js';
import { SingleFlight } from '../sources/single-flight.js';
import { VendorClient } from '../sources/vendor-client.js';
import { SHIPPED_TOKENS } from './shipped-tokens.js';
import { parseTokenList, type ListedToken } from './token-list.js';

const MAX_AGE_MS = 3_600_000;
const RETRY_MS = 60_000;
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * The tokens that the service knows by name: those of `TOKEN_LISTS`, and a few built-in ones for networks that no list
 * covers. Reloaded every hour; if a list cannot be read, its last content stays.
 */
@Injectable()
export class TokenLists implements OnModuleInit {
  private readonly log = new Logger('TokenLists');
  private readonly flights = new SingleFlight<void>();
  private readonly known = new Map<string, readonly ListedToken[]>();
  private joined: readonly ListedToken[] = SHIPPED_TOKENS;
  private byNetwork = new Map<string, readonly ListedToken[]>();
  private validUntil = -Infinity;

  constructor(
    private readonly config: Config,
    private readonly vendors: VendorClient,
    private readonly clock: Clock,
  ) {}

  /** @throws ConfigError */
  onModuleInit(): Promise<void> {
    return assertListFiles(this.config, ['TOKEN_LISTS']);
  }

  /** Tokens of a chain, or of one network if a number is given. `ETH` is an alias of `EVM`. */
  async of(chain: string, networkId?: number): Promise<readonly ListedToken[]> {
    if (this.clock.timestamp() >= this.validUntil) {
      const reading = this.flights.run('read', () => this.read());
      // During a reload the previous content is served, so that a hanging list delays nobody. After a long pause
      // callers wait: content that is hours old is outdated.
      if (this.clock.timestamp() - this.validUntil > MAX_AGE_MS) await reading;
    }
    const name = chain === 'ETH' ? 'EVM' : chain;
    if (networkId === undefined) return this.joined.filter((token) => token.chain === name);
    const key = networkOf({ chain: name, networkId });
    const known = this.byNetwork.get(key);
    if (known) return known;
    const found = this.joined.filter((token) => networkOf(token) === key);
    // Empty results are not cached: callers could name any number of networks.
    if (found.length > 0) this.byNetwork.set(key, found);
    return found;
  }

  private async read(): Promise<void> {
    const places = this.config.get('TOKEN_LISTS');
    const read = await Promise.all(places.map((place) => this.readOne(place)));
    const own = places.flatMap((place) => this.known.get(place) ?? []);
    const named = new Set(own.map(networkOf));
    const seen = new Set<string>();
    this.joined = [...own, ...SHIPPED_TOKENS.filter((token) => !named.has(networkOf(token)))].filter((token) => {
      const key = `${networkOf(token)} ${token.address}`;
      return !seen.has(key) && seen.add(key);
    });
    this.byNetwork = new Map();
    this.validUntil = this.clock.timestamp() + (read.every(Boolean) ? MAX_AGE_MS : RETRY_MS);
  }

  private async readOne(place: string): Promise<boolean> {
    try {
      const tokens = isListAddress(place)
        ? await this.vendors.text({ vendor: 'token-list', urls: [place], maxBytes: MAX_BYTES }, parseTokenList)
        : parseTokenList(await readFile(place, 'utf8'));
      this.known.set(place, tokens);
      return true;
    } catch (error) {
      this.log.warn(`A list in TOKEN_LISTS cannot be read: ${(error as Error).name}`);
      return false;
    }
  }
}

const networkOf = ({ chain, networkId }: { chain: string; networkId: number }): string => `${chain}:${networkId}`;
