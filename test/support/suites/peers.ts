import { sharedDnsServer } from '../dns-server.js';
import { RATE_ANSWERS, rateAddresses } from '../rate-vendors.js';
import { VendorServer } from '../vendor-server.js';

let vendors: Promise<VendorServer> | undefined;

/** Settings by which the service asks vendors of the tests, so that operations that rest on them succeed. */
export async function peerSettings(): Promise<Record<string, string>> {
  vendors ??= VendorServer.start({ ...RATE_ANSWERS, sites: () => ({ text: 'example.com\n' }) });
  const { origin } = await vendors;
  const { address } = await sharedDnsServer();
  const lists = { SCAN_ALLOW_LISTS: `${origin}/sites`, DNS_SERVERS: address };
  return { PROVIDER_ADDRESSES: JSON.stringify(rateAddresses(origin)), ...lists };
}
