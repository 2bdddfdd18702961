import { parse } from 'tldts';
import { domainToASCII } from 'node:url';
import { isSecure } from '../../oidc/index.js';
import { isHostName } from '../../outbound/index.js';

/** What may stand behind the at sign; the rest is decided by how the domain is written in ASCII. */
const ADDRESS_PART = /^[^\s@/:?#\\%[\]]+$/;

/**
 * The issuer that a domain stands for: https unless it is this machine, without query, fragment or credentials. What
 * is written after the host is kept as it is, since issuers are compared character by character (OpenID Connect
 * Discovery 1.0 §4.3). Null when the text is not such an address.
 */
export function issuerOf(ssoDomain: string): string | null {
  const text = ssoDomain.trim();
  if (/[\s\p{Cc}\\?#@]/u.test(text)) return null;
  const given = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.parse(given);
  if (!url || !isSecure(url)) return null;
  return given.endsWith('/') ? url.href : url.href.replace(/\/$/, '');
}

/** A domain in which people have addresses, in lower-case punycode; null for others, public suffixes among them. */
export function emailDomainOf(text: string): string | null {
  const given = text.trim().toLowerCase();
  const domain = ADDRESS_PART.test(given) ? domainToASCII(given) : '';
  const { hostname, domain: registrable, isIp } = parse(domain, { allowPrivateDomains: true });
  return isHostName(domain) && hostname === domain && registrable !== null && !isIp ? domain : null;
}
