import { isLocalhost, isWildcardOrigin } from '../origins/origin-match.js';

/** A URL in normal form, or the reason for its refusal. */
export type ParsedDeeplink = { url: string; refusal?: never } | { url?: never; refusal: string };

const MAX_LENGTH = 2_048;
const PARTS = /^([a-z+-]+):\/\/([^/?]*)(.*)$/i;
/** The URI characters of RFC 3986 §2, without `#`: a return URL has no fragment. */
const URI_CHARACTERS = /^[\w\-.~:/?[\]@!$&'()*+,;=%]+$/;

/** Schemes that execute their content or open local resources of the device. */
const DANGEROUS = new Set([
  ...['javascript', 'vbscript', 'data', 'blob', 'about', 'view-source'],
  ...['file', 'filesystem', 'content', 'intent', 'jar'],
]);

const refused = (refusal: string): ParsedDeeplink => ({ refusal });

/** Parses a return URL; scheme and web host become lower case. At most one wildcard. */
export function parseDeeplink(text: string): ParsedDeeplink {
  if (text.length > MAX_LENGTH) return refused('At most 2,048 characters.');
  const [, name = '', authority = '', rest = ''] = PARTS.exec(text) ?? [];
  if (name === '') return refused('It has no scheme: use scheme://host/path.');
  if (!URI_CHARACTERS.test(text)) return refused('Escape spaces and special characters, and leave out the fragment.');
  if (text.indexOf('*') !== text.lastIndexOf('*')) return refused('It may have one wildcard.');
  const scheme = name.toLowerCase();
  if (DANGEROUS.has(scheme)) return refused(`Nothing may return to ${scheme}: addresses.`);
  const isWeb = scheme === 'https' || scheme === 'http';
  const host = isWeb ? webHost(scheme, authority.toLowerCase()) : authority;
  if (host === null) {
    return refused('On the web the host must be one of yours, or *. followed by a domain that is yours alone.');
  }
  // Anybody on the way could read the code of a sign-in (RFC 9700 section 2.6).
  if (scheme === 'http' && !isLocalhost(host.replace(/:[\d*]+$/, '')))
    return refused('Plain http is for localhost alone: use https.');
  return { url: `${scheme}://${host}${rest}` };
}

/** Normalised host and port. A wildcard may be the leftmost label below a domain with a single owner, or the port. */
function webHost(scheme: string, authority: string): string | null {
  if (authority.startsWith('*')) return isWildcardOrigin(`${scheme}://${authority}`) ? authority : null;
  const anyPort = authority.endsWith(':*') ? ':*' : '';
  const named = `${scheme}://${anyPort ? authority.slice(0, -anyPort.length) : authority}`;
  if (named.includes('*') || !URL.canParse(named)) return null;
  const { username, password, host, href } = new URL(named);
  // For `https:///example.com` and the like, the parser finds a different host than the text shows.
  const isWhole = username === '' && password === '' && href === `${scheme}://${host}/` && authority !== '';
  return isWhole ? `${host}${anyPort}` : null;
}
