import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A way to a server on loopback that can be made worse while it is used. */
export class TcpProxy {
  /**
   * Each piece of bytes arrives so many milliseconds later, in either direction. Pieces never overtake each other: when
   * the delay becomes shorter, what comes after waits for what is under way, as on any connection.
   */
  delayMs = 0;
  private readonly sockets = new Set<Socket>();
  private readonly silent = new WeakSet<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: number,
  ) {
    server.on('connection', (socket) => this.accept(socket));
  }

  static async start(target: number): Promise<TcpProxy> {
    const server = createServer({ allowHalfOpen: false });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TcpProxy(server, target);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Ends every connection with a reset. */
  reset(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  /** Whatever is sent on the connections that are open goes nowhere from now on; others can be opened. */
  silence(): void {
    for (const socket of this.sockets) this.silent.add(socket);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private accept(near: Socket): void {
    const far = connect(this.target, '127.0.0.1');
    this.join(near, far);
    this.join(far, near);
  }

  private join(from: Socket, to: Socket): void {
    let underWay = 0;
    let last = Promise.resolve();
    from.setNoDelay(true);
    this.sockets.add(from);
    from.on('data', (bytes: Buffer) => {
      if (this.silent.has(from)) return;
      if (this.delayMs === 0 && underWay === 0) return void to.write(bytes);
      underWay++;
      last = Promise.all([last, sleep(this.delayMs)]).then(() => {
        underWay--;
        if (!to.destroyed) to.write(bytes);
      });
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.sockets.delete(from);
      to.destroy();
    });
  }
}
