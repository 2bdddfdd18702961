import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A proxy to a server on loopback whose quality can be degraded while in use. */
export class TcpProxy {
  /**
   * Delays each chunk by so many milliseconds, in either direction. Chunks never overtake each other: when the delay
   * becomes shorter, later chunks wait for those in transit, as on any connection.
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

  /** Resets all connections. */
  reset(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  /** From now on, drops whatever is sent on open connections; new ones can be opened. */
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
