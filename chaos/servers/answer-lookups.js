/**
 * Preloaded into an instance: names below CHAOS_DNS_SUFFIX are looked up at the name server CHAOS_DNS, as if the
 * machine's `resolv.conf` named that server. Replaces only the server that is asked; all handling of results and
 * failures is the service's own.
 */
import dns from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';

const { CHAOS_DNS: server = '', CHAOS_DNS_SUFFIX: suffix = '.invalid' } = process.env;

dns.promises.Resolver = class extends Resolver {
  resolve4(name) {
    this.direct(name);
    return super.resolve4(name);
  }

  resolve6(name) {
    this.direct(name);
    return super.resolve6(name);
  }

  /** Servers cannot be changed while a query is under way, and a resolver asks about one name. */
  direct(name) {
    if (name.endsWith(suffix) && this.getServers()[0] !== server) this.setServers([server]);
  }
};
syncBuiltinESMExports();
