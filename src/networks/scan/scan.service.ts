import { Injectable } from '@nestjs/common';
import { asApiError } from '../chain-faults.js';
import { siteOf } from './look-alike.js';
import type { ScanWebsiteUrlResponse } from './scan.dto.js';
import { notAWebAddress, scannerNotConfigured } from './scan.errors.js';
import { SiteLists, type JoinedLists } from './site-lists.js';
import { SiteScanner } from './site-scanner.js';

/** Judges sites: by the lists of the deployment, by what their names look like, and by a scanning service. */
@Injectable()
export class ScanService {
  constructor(
    private readonly lists: SiteLists,
    private readonly scanner: SiteScanner,
  ) {}

  /** In the order in which reasons count. What nobody knows is answered null, never "fine". */
  async scan(text: string): Promise<ScanWebsiteUrlResponse> {
    const url = URL.parse(text);
    if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') throw notAWebAddress();
    const lists = await this.lists.get();
    if (!lists.isConfigured && !this.scanner.isConfigured) throw scannerNotConfigured();
    const host = url.hostname.replace(/\.$/, '');
    const own = ownVerdict(url, host, lists);
    if (own) return own;
    if (!this.scanner.isConfigured) return { isMalicious: null, reason: 'unknown' };
    // What a page is asked for is nobody else's business.
    const isMalicious = await asApiError(this.scanner.judge(`${url.protocol}//${url.host}${url.pathname}`));
    return { isMalicious, reason: isMalicious === null ? 'unknown' : 'vendor' };
  }
}

function ownVerdict(url: URL, host: string, lists: JoinedLists): ScanWebsiteUrlResponse | null {
  const names = namesOf(host);
  if (names.some((name) => lists.blocked.has(name))) return { isMalicious: true, reason: 'block_list' };
  // https://known.example@evil.example/ is a page of evil.example.
  if (url.username !== '' || url.password !== '') return { isMalicious: true, reason: 'credentials_in_url' };
  if (names.some((name) => lists.allowed.has(name))) return { isMalicious: false, reason: 'allow_list' };
  const site = siteOf(host);
  const imitated = site && lists.known.imitatedBy(site);
  return imitated ? { isMalicious: true, reason: imitated.how, looksLike: imitated.site } : null;
}

/** A host and what it lies in, down to its registrable name. */
function namesOf(host: string): string[] {
  const site = siteOf(host) ?? host;
  const names = [host];
  for (let name = host; name !== site && name.includes('.');) names.push((name = name.slice(name.indexOf('.') + 1)));
  return names;
}
