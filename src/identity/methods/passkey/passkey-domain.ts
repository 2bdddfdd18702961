import { siteOwner } from '../../../environments/index.js';

/**
 * The domain of a site's passkeys: the registrable domain, so that `app.example.com` and `www.example.com` share them,
 * as do later sites of the same owner. It does not depend on the other registered sites, so registering one never hides
 * the passkeys of another. Null for IP addresses, extensions and apps, which have no web passkeys (WebAuthn Level 3
 * §5.1.2, effective domain).
 *
 * @param site an origin, or a pattern with `*` for its leftmost label
 */
export function passkeyDomain(site: string): string | null {
  const plain = site.replace('://*.', '://');
  if (!/^https?:/.test(plain) || !URL.canParse(plain)) return null;
  const { hostname } = new URL(plain);
  if (hostname.startsWith('[') || /(^|\.)\d+$/.test(hostname)) return null;
  return siteOwner(hostname) ?? hostname;
}
