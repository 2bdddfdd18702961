/**
 * Preloaded into an instance: names below CHAOS_DNS_SUFFIX are looked up at the name server CHAOS_DNS, as if the
 * machine's `resolv.conf` named that server. Replaces only `getaddrinfo`; all handling of results and failures is the
 * service's own.
 */
import dns from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const { CHAOS_DNS: server = '', CHAOS_DNS_SUFFIX: suffix = '.invalid' } = process.env;
const systemLookup = dns.promises.lookup;
/** As long as the default of resolv.conf: the service must not rely on a response in time. Milliseconds. */
const PATIENCE = 10_000;
const resolver = new Resolver({ timeout: 5000, tries: 2 });
resolver.setServers([server]);

dns.promises.lookup = async (host, options) => {
  if (!host.endsWith(suffix)) return systemLookup(host, options);
  const from = performance.now();
  const asked = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = asked.flatMap(({ value = [] }, index) => value.map((address) => ({ address, family: index ? 6 : 4 })));
  if (found.length > 0) return found;
  const { reason } = asked[0];
  // After quick responses the resolver shortens its timeout; `getaddrinfo` does not.
  if (reason?.code === 'ETIMEOUT') await sleep(PATIENCE - (performance.now() - from), undefined, { ref: false });
  throw Object.assign(new Error(`getaddrinfo ${host}`), {
    code: reason?.code === 'ENOTFOUND' ? 'ENOTFOUND' : 'EAI_AGAIN',
  });
};
syncBuiltinESMExports();
