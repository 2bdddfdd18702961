import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Parses an IP literal in the strict notation of `net.isIP`: dotted quad, or IPv6 without brackets and zone id.
 * Anything else is null, since two parsers may read a looser notation differently.
 */
export function parseIpLiteral(text: string): IpAddress | null {
  const family = isIP(text);
  if (family === 4) return ipaddr.IPv4.parse(text);
  if (family === 0 || text.includes('%')) return null;
  // ipaddr.js reads `::127.0.0.1` as `::ffff:127.0.0.1`; the URL serialiser leaves no dotted part to misread.
  const canonical = URL.parse(`http://[${text}]/`)?.hostname.slice(1, -1);
  return canonical === undefined ? null : ipaddr.IPv6.parse(canonical);
}
