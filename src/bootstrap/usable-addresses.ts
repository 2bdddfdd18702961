import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { ConfigError, type Config } from '../config/index.js';

/**
 * Refuses a HOST, and a METRICS_HOST with its port, that cannot be used while nothing has been started: a first start
 * would otherwise create a database before.
 *
 * @throws ConfigError, or the error of the system about HOST
 */
export async function assertUsableAddresses(config: Config): Promise<void> {
  // Not at PORT, where clients may already be waiting for the service.
  const api = config.answersRequests ? await listening(config.get('HOST'), 0) : null;
  try {
    await assertMetricsAddress(config, api);
  } finally {
    await closed(api);
  }
}

async function assertMetricsAddress(config: Config, api: Server | null): Promise<void> {
  const [port, host] = [config.get('METRICS_PORT'), config.get('METRICS_HOST')];
  if (port === null) return;
  const isShared = api !== null && port !== 0 && port === config.get('PORT');
  try {
    // Whether one port serves both depends on the two addresses, as the system decides.
    await closed(await listening(host, isShared ? (api.address() as AddressInfo).port : 0));
  } catch (error) {
    const { code = (error as Error).message } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      code === 'EADDRINUSE'
        ? `METRICS_PORT ${port} is PORT as well: choose another one.`
        : `METRICS_HOST must be an address of this machine (seen: ${JSON.stringify(host)}, ${code}).`,
    );
  }
}

async function listening(host: string, port: number): Promise<Server> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  return server;
}

async function closed(server: Server | null): Promise<void> {
  if (!server) return;
  server.close();
  await once(server, 'close');
}
