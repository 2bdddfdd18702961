import { Agent, request, type IncomingMessage } from 'node:http';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

export interface Reply {
  /** Null if there was no response. */
  readonly status: number | null;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** The connection error instead. */
  readonly error?: string;
  readonly ms: number;
}

const TIMEOUT_MS = 20_000;

/** A client with keep-alive connections, without redirects or retries. */
export class Client {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 256 });

  constructor(readonly origin: string) {}

  call({ method, path, headers = {}, body }: Call): Promise<Reply> {
    const from = performance.now();
    const text = body === undefined ? undefined : JSON.stringify(body);
    const content =
      text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    return new Promise((resolve) => {
      const fail = (error: NodeJS.ErrnoException): void =>
        resolve({
          ...{ status: null, headers: {}, text: '', ms: performance.now() - from },
          error: error.code ?? error.message,
        });
      const sent = request(
        `${this.origin}${path}`,
        { method, agent: this.agent, headers: { ...headers, ...content }, timeout: TIMEOUT_MS },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', fail);
          answer.on('end', () =>
            resolve({
              ...{ status: answer.statusCode ?? null, headers: answer.headers, ms: performance.now() - from },
              text: Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      sent.on('error', fail).on('timeout', () => sent.destroy(new Error('timeout')));
      sent.end(text);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

/** The body of a reply as JSON; an empty object if it is not JSON. */
export function jsonOf(reply: Reply): Record<string, unknown> {
  try {
    return JSON.parse(reply.text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
