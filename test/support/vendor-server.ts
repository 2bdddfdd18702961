import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface VendorCall {
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}
/** A vendor's response: a status with a text, or with a value as JSON. */
export type VendorReply = { status?: number; text: string } | { status?: number; json: unknown };

/** Vendors on loopback, each under its own path, which can be down or return nonsense. */
export class VendorServer {
  readonly calls: VendorCall[] = [];
  /** By the first path segment. */
  readonly moods = new Map<string, 'down' | 'silent' | 'garbage' | 'rate-limited' | 'oversize'>();

  private constructor(
    readonly origin: string,
    private readonly answers: Readonly<Record<string, (call: VendorCall) => VendorReply>>,
    readonly close: () => Promise<void>,
  ) {}

  static async start(answers: Readonly<Record<string, (call: VendorCall) => VendorReply>>): Promise<VendorServer> {
    const server = createServer((request, response) => void vendors.serve(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.unref();
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const vendors = new VendorServer(origin, answers, async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    return vendors;
  }

  count(name: string): number {
    return this.calls.filter(({ path }) => path.split('/')[1] === name).length;
  }

  forget(): void {
    this.calls.length = 0;
    this.moods.clear();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin);
    const call = { path: url.pathname, query: url.searchParams, headers: request.headers, body: await text(request) };
    this.calls.push(call);
    const name = call.path.split('/')[1] ?? '';
    const answer = this.answers[name];
    switch (this.moods.get(name)) {
      case 'silent':
        return;
      case 'down':
        request.socket.destroy();
        return;
      case 'rate-limited':
        response.writeHead(429).end('{}');
        return;
      case 'garbage':
        response.end('{"data":');
        return;
      case 'oversize':
        response.end(`"${'x'.repeat(20_000_000)}"`);
        return;
      default:
    }
    if (!answer) {
      response.writeHead(404).end('{}');
      return;
    }
    const reply = answer(call);
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', 'x-ratelimit-remaining': '41' });
    response.end('text' in reply ? reply.text : JSON.stringify(reply.json));
  }
}
