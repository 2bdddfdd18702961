import { sharedDnsServer } from '../dns-server.js';
import { MoneyVendors } from '../money-vendors.js';
import { RATE_ANSWERS, rateAddresses } from '../rate-vendors.js';
import { VendorServer } from '../vendor-server.js';

let vendors: Promise<VendorServer> | undefined;
let money: Promise<MoneyVendors> | undefined;

/** Settings that make the service use test vendors, so that operations that depend on them succeed. */
export async function peerSettings(): Promise<Record<string, string>> {
  vendors ??= VendorServer.start({
    ...RATE_ANSWERS,
    sites: () => ({ text: 'example.com\n' }),
    drive: () => ({ json: { id: 'a-file' } }),
  });
  money ??= MoneyVendors.start();
  const [{ origin }, { addresses }, dns] = await Promise.all([vendors, money, sharedDnsServer()]);
  const all = { ...rateAddresses(origin), ...addresses, google: { api: `${origin}/drive` } };
  const lists = { SCAN_ALLOW_LISTS: `${origin}/sites`, DNS_SERVERS: dns.address };
  return { PROVIDER_ADDRESSES: JSON.stringify(all), ...lists };
}
