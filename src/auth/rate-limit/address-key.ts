import ipaddr from 'ipaddr.js';

/** The address asked for last: most calls in a row come from few addresses, and reading one costs more than the limit. */
let last = { address: '', key: 'unknown' };

/**
 * What stands for one client in a limit: the address, or the /64 of an IPv6 address, since one client owns all of it.
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
