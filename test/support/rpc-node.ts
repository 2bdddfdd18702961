import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Call {
  id: unknown;
  method: string;
  params: unknown[];
}
type Responder = (call: Call) => unknown;

/** How the node behaves; `well` responds normally. */
export type Mood =
  'well' | 'down' | 'silent' | 'garbage' | 'html' | 'oversize' | 'rate-limited' | 'limit-code' | 'fault' | 'wrong-id';

/** A chain node that gets its responses from `answer`, records requests, and can fail in various ways. */
export class RpcNode {
  mood: Mood = 'well';
  readonly calls: Call[] = [];
  requests = 0;

  private constructor(
    readonly url: string,
    readonly close: () => Promise<void>,
  ) {}

  static async start(answer: Responder): Promise<RpcNode> {
    const server = createServer((request, response) => void node.serve(request, response, answer));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    server.unref();
    const { port } = server.address() as AddressInfo;
    const node = new RpcNode(`http://127.0.0.1:${port}`, async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    return node;
  }

  /** A proxy for another node, such as anvil; with a number, it claims to be of the chain with that id. */
  static before(url: string, chainId?: number): Promise<RpcNode> {
    return RpcNode.start(async ({ method, params }) => {
      if (method === 'eth_chainId' && chainId !== undefined) return { result: `0x${chainId.toString(16)}` };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
      const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      return await response.json();
    });
  }

  count(method: string): number {
    return this.calls.filter((call) => call.method === method).length;
  }

  forget(): void {
    this.calls.length = 0;
    this.requests = 0;
  }

  private async serve(request: IncomingMessage, response: ServerResponse, answer: Responder): Promise<void> {
    const body = JSON.parse(await text(request)) as Call | Call[];
    const list = Array.isArray(body) ? body : [body];
    this.requests += 1;
    this.calls.push(...list);
    switch (this.mood) {
      case 'silent':
        return;
      case 'down':
        request.socket.destroy();
        return;
      case 'rate-limited':
        response.writeHead(429, { 'retry-after': '1' }).end('{}');
        return;
      case 'garbage':
        response.end('{"jsonrpc":"2.0","id":0,"result":');
        return;
      case 'html':
        response.writeHead(502).end('<html>Bad gateway</html>');
        return;
      default:
    }
    const replies = await Promise.all(list.map((call) => this.reply(call, answer)));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(Array.isArray(body) ? replies : replies[0]));
  }

  private async reply(call: Call, answer: Responder): Promise<object> {
    const envelope = { jsonrpc: '2.0', id: this.mood === 'wrong-id' ? 'other' : call.id };
    if (this.mood === 'oversize') return { ...envelope, result: `0x${'00'.repeat(200_000)}` };
    if (this.mood === 'limit-code') return { ...envelope, error: { code: -32005, message: 'limit exceeded' } };
    if (this.mood === 'fault') return { ...envelope, error: { code: -32603, message: 'internal error' } };
    const { result, error } = (await answer(call)) as { result?: unknown; error?: unknown };
    return { ...envelope, ...(error === undefined ? { result } : { error }) };
  }
}
