import { createServer, type AddressInfo, type Server } from 'node:net';

/** An internal address that must never be connected to; counts connections. */
export class Trap {
  connections = 0;

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.connections += 1;
      socket.on('error', () => undefined).destroy();
    });
  }

  static async start(): Promise<Trap> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Trap(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}
