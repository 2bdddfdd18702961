import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

const COMMIT = 'COMMIT\0';

/**
 * A proxy between the service and PostgreSQL that can stop forwarding: a transaction with a certain statement commits,
 * but the service never gets the response. Or it delays a transaction before a statement. The test decides how to
 * continue.
 */
export class DeafProxy {
  private statement: string | null = null;
  private heldBefore: string | null = null;
  private readonly sockets = new Set<Socket>();
  private noteCommit: () => void = () => undefined;
  /** Connections that must still arrive before it counts as reached. */
  private missing = 1;

  private constructor(
    private readonly server: Server,
    readonly databaseUrl: string,
  ) {}

  static async start(databaseUrl: string): Promise<DeafProxy> {
    const target = new URL(databaseUrl);
    const server = createServer((near) => proxy.link(near, connect(Number(target.port), target.hostname)));
    server.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const through = new URL(databaseUrl);
    through.hostname = '127.0.0.1';
    through.port = String((server.address() as AddressInfo).port);
    const proxy = new DeafProxy(server, through.href);
    return proxy;
  }

  /** Resolves when a transaction with this statement was told to commit; the response is withheld from the service. */
  withholdCommitOf(statement: string): Promise<void> {
    this.statement = statement;
    this.missing = 1;
    return new Promise((resolve) => (this.noteCommit = resolve));
  }

  /**
   * Resolves when a transaction with this statement, or the given number of them, sends the other statement, which is
   * held back with all that follows.
   */
  holdBefore(next: string, statement: string, transactions = 1): Promise<void> {
    const noted = this.withholdCommitOf(statement);
    this.heldBefore = `${next}\0`;
    this.missing = transactions;
    return noted;
  }

  /** Forwards everything again. */
  recover(): void {
    this.statement = this.heldBefore = null;
  }

  stop(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private link(near: Socket, far: Socket): void {
    let isWatched = false;
    let isDeaf = false;
    let isHeld = false;
    for (const socket of [near, far]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
    }
    near.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      isWatched ||= this.statement !== null && text.includes(this.statement);
      isHeld ||= isWatched && this.heldBefore !== null && text.includes(this.heldBefore);
      if (!isDeaf && (isHeld || (isWatched && text.includes(COMMIT)))) {
        isDeaf = true;
        this.missing -= 1;
        if (this.missing === 0) this.noteCommit();
      }
      if (!isHeld) far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (!isDeaf) near.write(chunk);
    });
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  }
}
