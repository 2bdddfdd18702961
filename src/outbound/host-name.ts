/** Longest host name in text form (RFC 1035 section 2.3.4: 255 octets on the wire, one length octet and the root). */
const MAX_HOST = 253;
const MAX_LABEL = 63;

/**
 * Names that can only be internal: special-use domains (RFC 6761, RFC 6762, RFC 7686, RFC 8375), `.internal` (reserved
 * by ICANN for private use), suffixes never delegated because private networks use them, cluster and container names.
 */
const INSIDE_SUFFIXES = new Set([
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'mail',
  'svc',
  'onion',
]);
const INSIDE_DOMAINS = ['home.arpa', 'in-addr.arpa', 'ip6.arpa'];

/** The host of a parsed URL without brackets and without the root dot: `[::1]` → `::1`, `example.com.` → `example.com`. */
export function bareHost(hostname: string): string {
  if (hostname.startsWith('[')) return hostname.slice(1, -1);
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
}

/** Shape only (RFC 1123 lengths, no empty label); the URL parser has already checked the characters. */
export function isHostName(host: string): boolean {
  return host.length <= MAX_HOST && host.split('.').every((label) => label.length > 0 && label.length <= MAX_LABEL);
}

/** True for names that public DNS does not serve: one label (`localhost`, `redis`) or a suffix of private networks. */
export function isInsideHost(host: string): boolean {
  const labels = host.split('.');
  if (labels.length < 2 || INSIDE_SUFFIXES.has(labels[labels.length - 1] ?? '')) return true;
  return INSIDE_DOMAINS.some((domain) => host === domain || host.endsWith(`.${domain}`));
}
