import { siteOwner } from './site-owner.js';

const WILDCARD = /^https:\/\/\*\.([^*]+)$/;
const EXTENSION = /^(?:chrome|moz)-extension:\/\/[a-z0-9-]+$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** The developer's own machine on whatever port: tools take another one at every start. */
const ANY_PORT: ReadonlyMap<string, RegExp> = new Map(
  ['localhost', '127.0.0.1'].map((host) => [
    `http://${host}:*`,
    new RegExp(`^http://${host.replaceAll('.', '\\.')}(?::\\d{1,5})?$`),
  ]),
);

/** Whether the pattern admits the developer's own machine on any port. */
export const isAnyPortOrigin = (pattern: string): boolean => ANY_PORT.has(pattern);

/**
 * True for a wildcard host that one owner controls: `https://*.` and a name of at least two labels, below which no
 * stranger gets a name.
 */
export function isWildcardOrigin(pattern: string): boolean {
  const suffix = WILDCARD.exec(pattern)?.[1];
  const url = suffix === undefined ? null : parseWebOrigin(`https://${suffix}`);
  if (!url?.hostname.split('.').every((label) => LABEL.test(label))) return false;
  return haveOneOwner(url.hostname, `x.${url.hostname}`);
}

/**
 * Whether an `Origin` header names a site that the pattern admits: the same scheme, host and port, or, where the
 * pattern's host is a wildcard, any one label in its place; `http://localhost:*` stands for every port. The text must be an origin as browsers write it
 * (RFC 6454 §6.2); `null`, paths, credentials and upper case are none. Plain http is for localhost alone.
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

/** `s3.amazonaws.com` lies below `amazonaws.com` and yet belongs to everybody: the owner of both must be the same. */
function haveOneOwner(hostname: string, below: string): boolean {
  const owner = siteOwner(hostname);
  return owner !== null && owner === siteOwner(below);
}

/** The developer's own machine (RFC 6761 §6.3, and the loopback addresses). */
export const isLocalhost = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1' || hostname === '[::1]';

/** The parsed form of an http or https origin that is written exactly as browsers write it, else null. */
function parseWebOrigin(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return (url.protocol === 'https:' || url.protocol === 'http:') && url.origin === text ? url : null;
}
