import { Injectable } from '@nestjs/common';
import { asApiError } from '../chain-faults.js';
import { siteOf } from './look-alike.js';
import type { ScanWebsiteUrlResponse } from './scan.dto.js';
import { notAWebAddress, scannerNotConfigured } from './scan.errors.js';
import { SiteLists, type JoinedLists } from './site-lists.js';
import { SiteScanner } from './site-scanner.js';

/** Judges sites by the deployment's lists, by look-alike names, and by a scanning service. */
@Injectable()
export class ScanService {
  constructor(
    private readonly lists: SiteLists,
    private readonly scanner: SiteScanner,
  ) {}

  /** Checks in order of precedence. An unknown site is answered with null, never "fine". */
  async scan(text: string): Promise<ScanWebsiteUrlResponse> {
    const url = URL.parse(text);
    if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') throw notAWebAddress();
    const lists = await this.lists.get();
    if (!lists.isConfigured && !this.scanner.isConfigured) throw scannerNotConfigured();
    const host = url.hostname.replace(/\.$/, '');
    const own = ownVerdict(url, host, lists);
    if (own) return own;
    if (!this.scanner.isConfigured) return { isMalicious: null, reason: 'unknown' };
    // The query string may be private and is not sent.
    const isMalicious = await asApiError(this.scanner.judge(`${url.protocol}//${url.host}${url.pathname}`));
    return { isMalicious, reason: isMalicious === null ? 'unknown' : 'vendor' };
  }
}

function ownVerdict(url: URL, host: string, lists: JoinedLists): ScanWebsiteUrlResponse | null {
  const names = namesOf(host);
  if (names.some((name) => lists.blocked.has(name))) return { isMalicious: true, reason: 'block_list' };
  // https://known.example@evil.example/ is a page on evil.example.
  if (url.username !== '' || url.password !== '') return { isMalicious: true, reason: 'credentials_in_url' };
  if (names.some((name) => lists.allowed.has(name))) return { isMalicious: false, reason: 'allow_list' };
  const site = siteOf(host);
  const imitated = site && lists.known.imitatedBy(site);
  return imitated ? { isMalicious: true, reason: imitated.how, looksLike: imitated.site } : null;
}

/** A host and its parent domains, down to the registrable one. */
function namesOf(host: string): string[] {
  const site = siteOf(host) ?? host;
  const names = [host];
  for (let name = host; name !== site && name.includes('.');) names.push((name = name.slice(name.indexOf('.') + 1)));
  return names;
}
