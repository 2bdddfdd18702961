import { parse } from 'tldts';
import { domainToASCII } from 'node:url';
import { isSecure } from '../../oidc/index.js';
import { isHostName } from '../../outbound/index.js';

/** The characters allowed after the at sign; converting the domain to ASCII decides the rest. */
const ADDRESS_PART = /^[^\s@/:?#\\%[\]]+$/;

/**
 * The issuer of a domain: https except on localhost, without query, fragment or credentials. Anything after the host is
 * kept as written, since issuers are compared character by character (OpenID Connect Discovery 1.0 §4.3). Null when the
 * text is not such an address.
 */
export function issuerOf(ssoDomain: string): string | null {
  const text = ssoDomain.trim();
  if (/[\s\p{Cc}\\?#@]/u.test(text)) return null;
  const given = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.parse(given);
  if (!url || !isSecure(url)) return null;
  return given.endsWith('/') ? url.href : url.href.replace(/\/$/, '');
}

/** An email domain in lower-case punycode; null for anything else, including public suffixes. */
export function emailDomainOf(text: string): string | null {
  const given = text.trim().toLowerCase();
  const domain = ADDRESS_PART.test(given) ? domainToASCII(given) : '';
  const { hostname, domain: registrable, isIp } = parse(domain, { allowPrivateDomains: true });
  return isHostName(domain) && hostname === domain && registrable !== null && !isIp ? domain : null;
}
