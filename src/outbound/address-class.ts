import ipaddr from 'ipaddr.js';
import { parseIpLiteral } from './ip-literal.js';

/**
 * Where an address leads. Only `public` may be dialled without an allow-list entry.
 * Sources: IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890), RFC 6052, RFC 8215, RFC 4380, RFC 5214.
 */
export type AddressClass =
  | 'public'
  | 'unparsable'
  | 'metadata'
  | 'unspecified'
  | 'loopback'
  | 'private'
  | 'cgnat'
  | 'link_local'
  | 'multicast'
  | 'broadcast'
  | 'documentation'
  | 'benchmark'
  | 'reserved'
  | 'ipv4_mapped'
  | 'ipv4_translated'
  | 'ipv4_compatible'
  | 'nat64'
  | 'six_to_four'
  | 'teredo'
  | 'isatap'
  | 'unique_local'
  | 'site_local';

type Family4 = ipaddr.IPv4;
type Family6 = ipaddr.IPv6;

/** The first match wins, so single hosts come before the ranges that contain them. */
const IPV4_RANGES = ranges4([
  // Instance metadata and guest agents of hosting providers; two of them are in otherwise public ranges.
  ['169.254.169.254/32', 'metadata'],
  ['169.254.170.2/32', 'metadata'],
  ['169.254.170.23/32', 'metadata'],
  ['169.254.0.23/32', 'metadata'],
  ['169.254.42.42/32', 'metadata'],
  ['100.100.100.200/32', 'metadata'],
  ['168.63.129.16/32', 'metadata'],
  ['192.0.0.192/32', 'metadata'],
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'cgnat'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link_local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['192.31.196.0/24', 'reserved'],
  ['192.52.193.0/24', 'reserved'],
  ['192.88.99.0/24', 'six_to_four'],
  ['192.168.0.0/16', 'private'],
  ['192.175.48.0/24', 'reserved'],
  ['198.18.0.0/15', 'benchmark'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['255.255.255.255/32', 'broadcast'],
  ['240.0.0.0/4', 'reserved'],
]);

const IPV6_RANGES = ranges6([
  ['fd00:ec2::254/128', 'metadata'],
  ['fd00:ec2::23/128', 'metadata'],
  ['fd20:ce::254/128', 'metadata'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::ffff:0:0/96', 'ipv4_mapped'],
  ['::ffff:0:0:0/96', 'ipv4_translated'],
  ['::/96', 'ipv4_compatible'],
  ['64:ff9b::/96', 'nat64'],
  ['64:ff9b:1::/48', 'nat64'],
  ['2001::/32', 'teredo'],
  ['2001:2::/48', 'benchmark'],
  ['2001:db8::/32', 'documentation'],
  ['2001::/23', 'reserved'],
  ['2002::/16', 'six_to_four'],
  ['2620:4f:8000::/48', 'reserved'],
  ['3ffe::/16', 'reserved'],
  ['3fff::/20', 'documentation'],
  ['fc00::/7', 'unique_local'],
  ['fe80::/10', 'link_local'],
  ['fec0::/10', 'site_local'],
  ['ff00::/8', 'multicast'],
]);

/** RFC 4291 section 2.4: the only range assigned to Internet hosts so far. Nothing outside it is trusted. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** RFC 5214 section 6.1: the interface identifier of a tunnel that ends at the IPv4 address in the last 32 bits. */
const ISATAP_MARK = 0x5efe;

/** Classifies an IP literal as parsed by {@link parseIpLiteral}; anything it rejects is `unparsable`. */
export function classifyAddress(text: string): AddressClass {
  const address = parseIpLiteral(text);
  if (address === null) return 'unparsable';
  return address instanceof ipaddr.IPv4 ? classify4(address) : classify6(address);
}

function classify4(address: Family4): AddressClass {
  return IPV4_RANGES.find(([range]) => address.match(range))?.[1] ?? 'public';
}

function classify6(address: Family6): AddressClass {
  const named = IPV6_RANGES.find(([range]) => address.match(range));
  if (named) return named[1];
  if (!address.match(GLOBAL_UNICAST)) return 'reserved';
  return isIsatap(address) ? 'isatap' : 'public';
}

function isIsatap({ parts }: Family6): boolean {
  // The universal/local bit of the identifier may be set or clear.
  return parts[5] === ISATAP_MARK && (parts[4] === 0x0000 || parts[4] === 0x0200);
}

function ranges4(rows: [string, AddressClass][]): [[Family4, number], AddressClass][] {
  return rows.map(([cidr, name]) => [ipaddr.IPv4.parseCIDR(cidr), name]);
}

function ranges6(rows: [string, AddressClass][]): [[Family6, number], AddressClass][] {
  return rows.map(([cidr, name]) => [ipaddr.IPv6.parseCIDR(cidr), name]);
}
