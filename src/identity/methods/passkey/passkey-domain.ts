import { siteOwner } from '../../../environments/index.js';

/**
 * The domain for which passkeys of a site are made: what one owner has, so that `app.example.com` and
 * `www.example.com` share them, and a later site of the same owner does too. It does not depend on which other sites are
 * registered, so registering one never hides the passkeys of another. Null for addresses, extensions and apps, which
 * have no passkeys of the web (WebAuthn Level 3 §5.1.2, effective domain).
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
