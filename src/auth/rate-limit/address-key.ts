import ipaddr from 'ipaddr.js';

/** The last address, cached: consecutive calls often share one, and parsing it costs more than the limit itself. */
let last = { address: '', key: 'unknown' };

/**
 * The key of a client in rate limits: the address, or the /64 prefix of an IPv6 address, since one client owns all of it.
 */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  if (address !== last.address) last = { address, key: read(address) };
  return last.key;
}

function read(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return (parsed as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':');
}

/** The /48 of an address in the form of `addressKey`; null for IPv4, whose addresses are scarce. */
export const ipv6NetworkOf = (key: string): string | null => (key.includes(':') ? key.split(':', 3).join(':') : null);
