import { isWildcardOrigin } from '../origins/origin-match.js';

/** What may be registered, or why it may not. */
export type ParsedDeeplink = { url: string; refusal?: never } | { url?: never; refusal: string };

const MAX_LENGTH = 2_048;
const PARTS = /^([a-z+-]+):\/\/([^/?]*)(.*)$/i;
/** RFC 3986 §2: what a URI is written in. The fragment is the application's own and never part of a return address. */
const URI_CHARACTERS = /^[\w\-.~:/?[\]@!$&'()*+,;=%]+$/;

/** Schemes that run what they carry, or open what is on the device. */
const DANGEROUS = new Set([
  ...['javascript', 'vbscript', 'data', 'blob', 'about', 'view-source'],
  ...['file', 'filesystem', 'content', 'intent', 'jar'],
]);

const refused = (refusal: string): ParsedDeeplink => ({ refusal });

/** An address that sign-in may return to, with scheme and web host in lower case; one wildcard at most. */
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
  return { url: `${scheme}://${host}${rest}` };
}

/** Host and port in normal form. A wildcard may be the leftmost label, below a domain of one owner, or the port. */
function webHost(scheme: string, authority: string): string | null {
  if (authority.startsWith('*')) return isWildcardOrigin(`${scheme}://${authority}`) ? authority : null;
  const anyPort = authority.endsWith(':*') ? ':*' : '';
  const named = `${scheme}://${anyPort ? authority.slice(0, -anyPort.length) : authority}`;
  if (named.includes('*') || !URL.canParse(named)) return null;
  const { username, password, host, href } = new URL(named);
  // The parser reads `https:///example.com` and the like as another host than the one that is written.
  const isWhole = username === '' && password === '' && href === `${scheme}://${host}/` && authority !== '';
  return isWhole ? `${host}${anyPort}` : null;
}
