import { getDomain } from 'tldts';

/** The list of public suffixes with its private part: hosting that gives out subdomains counts like a registry. */
const LIST = { allowPrivateDomains: true, extractHostname: false };

/** Hosts of many that are not on the list of public suffixes (publicsuffix.org). */
const UNLISTED = [
  ...['amazonaws.com', 'codesandbox.io', 'github.dev', 'glitch.me', 'loca.lt', 'stackblitz.io', 'webcontainer.io'],
];

/**
 * The registrable domain of a host name: what one owner has, with all names below it. Null for addresses, single
 * labels, and suffixes below which strangers get names of their own, such as `co.uk` or `github.io`.
 */
export function siteOwner(hostname: string): string | null {
  if (/(^|\.)\d+$/.test(hostname) || UNLISTED.includes(hostname)) return null;
  const unlisted = UNLISTED.find((suffix) => hostname.endsWith(`.${suffix}`));
  const listed = getDomain(hostname, LIST);
  if (!unlisted || listed === null || listed !== unlisted) return listed;
  const labels = hostname.slice(0, -unlisted.length - 1).split('.');
  return `${labels.at(-1)}.${unlisted}`;
}
