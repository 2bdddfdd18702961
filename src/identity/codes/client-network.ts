import ipaddr from 'ipaddr.js';

const IPV4_BITS = 24;
const IPV6_BITS = 48;

/**
 * The network that an address is in: the /24 of IPv4, the /48 of IPv6. Smaller than what a provider or a company has, and
 * more than one customer can move through for free.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4')
    return ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/${IPV4_BITS}`).toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${IPV6_BITS}`).toString();
}
