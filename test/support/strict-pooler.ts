import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** PgBouncer knows these without any configuration, and refuses every other parameter of a connection. */
const KNOWN = /^(?:user|database|application_name|client_encoding|datestyle|timezone|standard_conforming_strings)$/i;
const HEAD_BYTES = 8;
/** Section 54.7 of PostgreSQL's documentation. */
const VERSION_3 = 196_608;

/** Passes connections in session mode to a server on loopback, and is as strict as PgBouncer about their parameters. */
export class StrictPooler {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: number,
  ) {
    server.on('connection', (socket) => this.accept(socket));
  }

  static async start(target: number): Promise<StrictPooler> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new StrictPooler(server, target);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(client: Socket): void {
    this.keep(client);
    client.once('data', (first) => {
      const unknown = unknownParameter(first);
      if (unknown) return void client.end(refusal(`unsupported startup parameter: ${unknown}`));
      const server = this.keep(connect(this.target, '127.0.0.1'));
      server.write(first);
      client.pipe(server).pipe(client);
    });
  }

  private keep(socket: Socket): Socket {
    this.sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
  }
}

function unknownParameter(startup: Buffer): string | undefined {
  if (startup.readInt32BE(4) !== VERSION_3) return undefined;
  const texts = startup.toString('utf8', HEAD_BYTES).split('\0');
  return texts.find((text, at) => at % 2 === 0 && text !== '' && !KNOWN.test(text));
}

function refusal(message: string): Buffer {
  const body = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${message}\0\0`);
  const head = Buffer.alloc(5, 'E');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
