import { CANCELLED, NODATA, NOTFOUND } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { Config } from '../../config/index.js';
import { DnsRecords, DnsUnavailable } from './dns-records.js';

/** Milliseconds per attempt at a server, and for the whole query. */
const TRY_MS = 1_500;
const TRIES = 2;
const DEADLINE_MS = 5_000;
const NO_SUCH_RECORD = new Set<unknown>([NODATA, NOTFOUND]);

/** Queries DNS_SERVERS, or the servers of the system, without caching. */
@Injectable()
export class ResolverDnsRecords extends DnsRecords {
  private readonly servers: readonly string[];

  constructor(config: Config) {
    super();
    this.servers = config.get('DNS_SERVERS');
  }

  override async txt(name: string): Promise<string[]> {
    const records = await this.ask((resolver) => resolver.resolveTxt(name));
    return records.map((parts) => parts.join(''));
  }

  override async cname(name: string): Promise<string[]> {
    const targets = await this.ask((resolver) => resolver.resolveCname(name));
    return targets.map((target) => target.toLowerCase().replace(/\.$/, ''));
  }

  /** One resolver per query, so that cancelling a hanging query cancels no other. */
  private async ask<T>(question: (resolver: Resolver) => Promise<T[]>): Promise<T[]> {
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    if (this.servers.length > 0) resolver.setServers(this.servers);
    const deadline = setTimeout(() => resolver.cancel(), DEADLINE_MS);
    try {
      return await question(resolver);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (NO_SUCH_RECORD.has(code)) return [];
      throw new DnsUnavailable(code === CANCELLED ? 'no answer in time' : String(code), { cause: error });
    } finally {
      clearTimeout(deadline);
    }
  }
}
