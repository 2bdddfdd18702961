import { Agent, request, type IncomingHttpHeaders } from 'node:http';

export interface RawRequest {
  method: string;
  /** Sent as is: no normalisation of dots, slashes or escapes. */
  path: string;
  token?: string | null;
  headers?: Record<string, string | string[]>;
  /** JSON text or bytes; `content-type: application/json` unless the headers say otherwise. */
  body?: string | Buffer;
}

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Parsed if it is JSON. */
  body: unknown;
}

/** Sends raw requests as an attacker might: at most 20 at a time, on persistent connections. */
export class RawClient {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 20 });

  constructor(private readonly url: string) {}

  send({ method, path, token, headers = {}, body }: RawRequest): Promise<RawAnswer> {
    const { hostname, port } = new URL(this.url);
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    return new Promise((resolve, reject) => {
      const call = request({
        agent: this.agent,
        hostname,
        port,
        method,
        path,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && !names.includes('content-type') && { 'content-type': 'application/json' }),
          ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
          ...headers,
        },
      });
      call.on('error', (error) => reject(new Error(`${method} ${path.slice(0, 200)}: ${error.message}`)));
      call.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = response.headers['content-type']?.includes('json') === true;
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            body: text !== '' && isJson ? JSON.parse(text) : undefined,
          });
        });
      });
      call.end(body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}
