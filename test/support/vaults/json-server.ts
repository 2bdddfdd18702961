import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Answered {
  readonly status: number;
  readonly json: object;
}

/** A vault on loopback that can be down, hang or fail. Requests and responses are recorded as text. */
export abstract class JsonServer {
  mood: 'well' | 'away' | 'silent' | 'in trouble' = 'well';
  /** What it says in fields of these names (in lower case), wherever they are in its answers. */
  said: Readonly<Record<string, unknown>> = {};
  /** Calls that get no response until the vault works again. */
  troubles = 0;
  readonly asked: Asked[] = [];
  private readonly server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const call = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
      this.asked.push(call);
      if (this.mood === 'silent') return;
      if (this.mood === 'away') return void request.socket.destroy();
      const isTrouble = this.mood === 'in trouble' || this.troubles-- > 0;
      const { status, json } = isTrouble ? { status: 503, json: { errors: ['sealed'] } } : this.answer(call);
      const text = JSON.stringify(json, (name, value: unknown) =>
        Object.hasOwn(this.said, name.toLowerCase()) ? this.said[name.toLowerCase()] : value,
      );
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    });
  });

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.server.unref();
    return this;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  protected abstract answer(call: Asked): Answered;
}
