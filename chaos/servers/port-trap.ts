import { createServer, type Server } from 'node:net';

/** Ports that a webhook may use without an allow-list entry. */
const PORTS = [8443, 443];

/**
 * Listens where a production webhook could connect if it were allowed to: on a permitted port, at several loopback
 * addresses. One address may be called; connections to the others are recorded.
 */
export class PortTrap {
  /** Addresses that received connections. */
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

  /** @throws Error if other programs listen on every suitable port */
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
