import { createServer, type Server } from 'node:net';

/** Ports that a webhook may name without being on the list of exceptions. */
const PORTS = [8443, 443];

/**
 * Listens where a webhook of production could get to, were it let: on a port that is allowed, at several addresses of
 * loopback. One address is a place that may be called; what comes to the others is caught.
 */
export class PortTrap {
  /** Addresses that were connected to. */
  readonly caught: string[] = [];
  permitted = 0;

  private constructor(
    readonly port: number,
    private readonly servers: readonly Server[],
    private readonly permittedAddress: string,
  ) {
    for (const server of servers) {
      server.on('connection', (socket) => {
        const at = socket.localAddress ?? '';
        if (at === this.permittedAddress) this.permitted += 1;
        else this.caught.push(at);
        socket.on('error', () => undefined).destroy();
      });
    }
  }

  /** @throws Error when another program listens on every port that would do */
  static async start(addresses: readonly string[], permittedAddress: string): Promise<PortTrap> {
    for (const port of PORTS) {
      const servers = await listenAll([...addresses, permittedAddress], port);
      if (servers) return new PortTrap(port, servers, permittedAddress);
    }
    throw new Error(`Ports ${PORTS.join(' and ')} of loopback are taken, so there is no place for the trap.`);
  }

  async stop(): Promise<void> {
    await closeAll(this.servers);
  }
}

async function listenAll(addresses: readonly string[], port: number): Promise<Server[] | null> {
  const servers: Server[] = [];
  for (const address of addresses) {
    const server = createServer();
    const listens = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, address, () => resolve(true));
    });
    if (listens) servers.push(server);
    // A machine without IPv6 has no ::1.
    else if (address !== '::1') {
      await closeAll(servers);
      return null;
    }
  }
  return servers;
}

async function closeAll(servers: readonly Server[]): Promise<void> {
  await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
}
