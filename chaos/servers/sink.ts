import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { answerAs, type SinkMode } from './sink-modes.js';

/** A request sent by a webhook; times are by `performance.now`. */
export interface Receipt {
  /** The last path segment, which identifies the webhook. */
  readonly hook: string;
  readonly messageId: string;
  readonly eventName: string;
  readonly resourceId: string | null;
  /** The connection it arrived on. */
  readonly connection: number;
  readonly at: number;
  /** Null while it is open. `aborted` means that the sender disconnected before the response was complete. */
  readonly endedAt: number | null;
  readonly status: number | null;
  readonly aborted: boolean;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The webhook receiver. Records requests, and behaves as configured for each webhook. */
export class Sink {
  readonly receipts: Receipt[] = [];
  private readonly modes = new Map<string, SinkMode>();
  /** When each closed connection had ended. */
  readonly connectionEnds = new Map<number, number>();
  private readonly connections = new Map<Socket, number>();
  private connected = 0;

  private constructor(private readonly server: Server) {
    // Connections stay open even if the senders are idle.
    server.keepAliveTimeout = 0;
    server.requestTimeout = 0;
    server.on('connection', (socket) => {
      this.connections.set(socket, (this.connected += 1));
      socket.on('close', () => {
        this.connectionEnds.set(this.connections.get(socket) ?? 0, performance.now());
        this.connections.delete(socket);
      });
    });
    server.on('request', (request, response) => this.receive(request, response));
  }

  static async start(): Promise<Sink> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Sink(server);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(hook: string): string {
    return `http://127.0.0.1:${this.port}/${hook}`;
  }

  become(hook: string, mode: SinkMode): void {
    this.modes.set(hook, mode);
  }

  /** Requests without a response yet. */
  get open(): number {
    return this.receipts.filter(({ endedAt }) => endedAt === null).length;
  }

  /** Connections that are still open. */
  get liveConnections(): ReadonlySet<number> {
    return new Set(this.connections.values());
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private receive(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.connections.get(request.socket) ?? 0;
    const chunks: Buffer[] = [];
    request.on('error', () => undefined).on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const hook = (request.url ?? '').slice(1);
      const receipt: Mutable<Receipt> = { hook, connection, ...contentOf(request, chunks), ...open() };
      this.receipts.push(receipt);
      response.on('error', () => undefined);
      response.on('close', () => {
        receipt.endedAt = performance.now();
        receipt.aborted = !response.writableFinished;
        receipt.status = receipt.aborted ? null : response.statusCode;
      });
      answerAs(this.modes.get(hook) ?? { kind: 'ok' }, request, response);
    });
  }
}

const open = (): Pick<Receipt, 'at' | 'endedAt' | 'status' | 'aborted'> => ({
  ...{ at: performance.now(), endedAt: null, status: null, aborted: false },
});

function contentOf(
  request: IncomingMessage,
  chunks: readonly Buffer[],
): Pick<Receipt, 'messageId' | 'eventName' | 'resourceId'> {
  const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as { eventName?: string; data?: { id?: string } };
  return {
    messageId: String(request.headers['webhook-id'] ?? ''),
    eventName: body.eventName ?? '',
    resourceId: body.data?.id ?? null,
  };
}
