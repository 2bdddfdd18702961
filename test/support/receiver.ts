import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Received {
  path: string;
  at: number;
  headers: IncomingHttpHeaders;
  raw: Buffer;
  body: {
    messageId: string;
    eventId: string;
    eventName: string;
    redelivery: boolean;
    webhookId: string;
    data: unknown;
  } & Record<string, unknown>;
}

interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

type Answer = (request: Received, attempt: number) => Reply | Promise<Reply>;

/** A webhook receiver on loopback that records all requests and responds as a test requires. */
export class Receiver {
  readonly received: Received[] = [];
  private readonly attempts = new Map<string, number>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(answer: Answer = () => ({ status: 200 }), at = 0): Promise<Receiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const raw = Buffer.concat(chunks);
        const body = JSON.parse(raw.toString()) as Received['body'];
        const seen: Received = { path: request.url ?? '', at: Date.now(), headers: request.headers, raw, body };
        receiver.received.push(seen);
        const attempt = (receiver.attempts.get(body.messageId) ?? 0) + 1;
        receiver.attempts.set(body.messageId, attempt);
        void Promise.resolve(answer(seen, attempt)).then(({ status, headers, body: text }) =>
          response.writeHead(status, headers).end(text ?? ''),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const receiver = new Receiver(server, `http://127.0.0.1:${port}/hook`);
    return receiver;
  }

  of(eventName: string): Received[] {
    return this.received.filter(({ body }) => body.eventName === eventName);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Waits until a condition holds, and fails with `what` after `ms`, which allows for a busy machine. */
export async function eventually<T>(what: string, look: () => T | Promise<T>, ms = 30_000): Promise<NonNullable<T>> {
  const deadline = Date.now() + ms;
  for (;;) {
    const value = await look();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`Did not happen within ${ms} ms: ${what}`);
    await sleep(20);
  }
}
