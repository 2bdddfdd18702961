import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../config/index.js';
import { EgressPolicy } from '../outbound/index.js';

/**
 * Refuses an EGRESS_ALLOW or a HOST that cannot be used while nothing has been started: a first start would otherwise
 * create a database before.
 *
 * @throws EgressAllowError, or the error of the system about HOST
 */
export async function assertUsableAddresses(config: Config): Promise<void> {
  new EgressPolicy(config.egressAllow, { allowHttp: false, allowIpLiterals: false });
  if (!config.answersRequests) return;
  // Not at PORT, where clients may already be waiting for the service.
  const server = createServer().listen(0, config.get('HOST'));
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
