import { connect, createServer, type Server, type Socket } from 'node:net';

/** Passes bytes on to a port of loopback, each piece `delayMs` later in either direction. */
export class SlowProxy {
  delayMs = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(target: number): Promise<SlowProxy> {
    const server = createServer((incoming) => {
      const outgoing = connect(target, '127.0.0.1');
      proxy.pass(incoming, outgoing);
      proxy.pass(outgoing, incoming);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy: SlowProxy = new SlowProxy(server, (server.address() as { port: number }).port);
    return proxy;
  }

  private pass(from: Socket, to: Socket): void {
    this.sockets.add(from);
    from.on('data', (bytes) => setTimeout(() => to.writable && to.write(bytes), this.delayMs));
    from.on('error', () => undefined);
    from.on('close', () => {
      this.sockets.delete(from);
      to.destroy();
    });
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
