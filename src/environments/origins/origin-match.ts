import { siteOwner } from './site-owner.js';

const WILDCARD = /^https:\/\/\*\.([^*]+)$/;
const EXTENSION = /^(?:chrome|moz)-extension:\/\/[a-z0-9-]+$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** The developer's own machine on any port: dev tools may pick a new one at every start. */
const ANY_PORT: ReadonlyMap<string, RegExp> = new Map(
  ['localhost', '127.0.0.1'].map((host) => [
    `http://${host}:*`,
    new RegExp(`^http://${host.replaceAll('.', '\\.')}(?::\\d{1,5})?$`),
  ]),
);

/** Whether the pattern allows the developer's own machine on any port. */
export const isAnyPortOrigin = (pattern: string): boolean => ANY_PORT.has(pattern);

/**
 * True for a wildcard below a domain with a single owner: `https://*.` and a name of at least two labels that is not a
 * public suffix.
 */
export function isWildcardOrigin(pattern: string): boolean {
  const suffix = WILDCARD.exec(pattern)?.[1];
  const url = suffix === undefined ? null : parseWebOrigin(`https://${suffix}`);
  if (!url?.hostname.split('.').every((label) => LABEL.test(label))) return false;
  return haveOneOwner(url.hostname, `x.${url.hostname}`);
}

/**
 * Whether an `Origin` header matches the pattern: same scheme, host and port, or any single label in place of a
 * wildcard; `http://localhost:*` matches every port. The text must be an origin as browsers write it (RFC 6454 §6.2):
 * `null`, paths, credentials and upper case never match. Plain http is for localhost only.
 */
export function matchesOrigin(pattern: string, origin: string): boolean {
  if (EXTENSION.test(origin)) return pattern === origin;
  const url = origin.includes('*') ? null : parseWebOrigin(origin);
  if (!url || (url.protocol === 'http:' && !isLocalhost(url.hostname))) return false;
  if (pattern === origin || ANY_PORT.get(pattern)?.test(origin)) return true;
  if (!isWildcardOrigin(pattern)) return false;
  const [label = '', ...rest] = url.host.split('.');
  if (!LABEL.test(label) || `${url.protocol}//*.${rest.join('.')}` !== pattern) return false;
  return haveOneOwner(url.hostname.slice(label.length + 1), url.hostname);
}

/** `s3.amazonaws.com` is below `amazonaws.com` but shared by many: both must have the same owner. */
function haveOneOwner(hostname: string, below: string): boolean {
  const owner = siteOwner(hostname);
  return owner !== null && owner === siteOwner(below);
}

/** The developer's own machine (RFC 6761 §6.3, and the loopback addresses). */
export const isLocalhost = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1' || hostname === '[::1]';

/** The parsed http or https origin if it is written exactly as browsers write it, else null. */
function parseWebOrigin(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.origin === text ? url : null;
}
