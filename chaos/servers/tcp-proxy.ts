import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** How the way to a server behaves: as it is, late by so many milliseconds each way, or without any answer. */
export type Way = 'open' | 'silent' | { readonly lateMs: number };

/** A way to a server on loopback that can be made worse while it is used. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private way: Way = 'open';

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

  become(way: Way): void {
    this.way = way;
  }

  /** Ends every connection with a reset. */
  reset(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
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
    from.setNoDelay(true);
    this.sockets.add(from);
    from.on('data', (bytes: Buffer) => this.pass(bytes, to));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.sockets.delete(from);
      to.destroy();
    });
  }

  private pass(bytes: Buffer, to: Socket): void {
    const { way } = this;
    if (way === 'silent') return;
    const write = (): void => void (to.destroyed || to.write(bytes));
    if (way === 'open') write();
    else setTimeout(write, way.lateMs);
  }
}
