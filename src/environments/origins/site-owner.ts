import { getDomain } from 'tldts';

/** The public suffix list with its private section: hosting with customer subdomains counts as a registry. */
const LIST = { allowPrivateDomains: true, extractHostname: false };

/** Shared hosts that are missing from the public suffix list (publicsuffix.org). */
const UNLISTED = [
  ...['amazonaws.com', 'codesandbox.io', 'github.dev', 'glitch.me', 'loca.lt', 'stackblitz.io', 'webcontainer.io'],
];

/**
 * The registrable domain of a host name, which has a single owner including all subdomains. Null for IP addresses,
 * single labels, and suffixes below which anybody can register, such as `co.uk` or `github.io`.
 */
export function siteOwner(hostname: string): string | null {
  if (/(^|\.)\d+$/.test(hostname) || UNLISTED.includes(hostname)) return null;
  const unlisted = UNLISTED.find((suffix) => hostname.endsWith(`.${suffix}`));
  const listed = getDomain(hostname, LIST);
  if (!unlisted || listed === null || listed !== unlisted) return listed;
  const labels = hostname.slice(0, -unlisted.length - 1).split('.');
  return `${labels.at(-1)}.${unlisted}`;
}
