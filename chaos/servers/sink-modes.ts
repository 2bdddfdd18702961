import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** How a receiver behaves. `ok` may be delayed. */
export type SinkMode =
  | { readonly kind: 'ok'; readonly delayMs?: number }
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number }
  | { readonly kind: 'redirect'; readonly to: string }
  | { readonly kind: 'hang' | 'drip' | 'flood' | 'bomb' | 'headers' | 'reset' };

const FLOOD_BYTES = 1024 ** 3;
const CHUNK = Buffer.alloc(64 * 1024, 'x');
const DRIP_MS = 100;
const HEADERS_BYTES = 5 * 1024 ** 2;
const BOMB_BYTES = 64 * 1024 ** 2;

let bomb: Buffer | null = null;

/** Responds according to the mode; the caller sees the end of the response or connection. */
export function answerAs(mode: SinkMode, request: IncomingMessage, response: ServerResponse): void {
  switch (mode.kind) {
    case 'ok':
      later(mode.delayMs ?? 0, () => response.writeHead(200, { 'content-length': 0 }).end());
      return;
    case 'status': {
      const wish = mode.retryAfter === undefined ? {} : { 'retry-after': String(mode.retryAfter) };
      response.writeHead(mode.status, { 'content-length': 0, ...wish }).end();
      return;
    }
    case 'redirect':
      response.writeHead(302, { location: mode.to, 'content-length': 0 }).end();
      return;
    case 'hang':
      return;
    case 'drip':
      response.writeHead(200, { 'content-type': 'text/plain' });
      drip(response);
      return;
    case 'flood':
      response.writeHead(200, { 'content-length': FLOOD_BYTES });
      flood(response, FLOOD_BYTES);
      return;
    case 'bomb':
      bomb ??= gzipSync(Buffer.alloc(BOMB_BYTES));
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb);
      return;
    case 'headers':
      // Bypasses the HTTP server, which would not write this.
      request.socket.write(`HTTP/1.1 200 OK\r\nx-large: ${'x'.repeat(HEADERS_BYTES)}\r\ncontent-length: 0\r\n\r\n`);
      return;
    case 'reset':
      request.socket.resetAndDestroy();
      return;
  }
}

function later(delayMs: number, work: () => void): void {
  if (delayMs > 0) setTimeout(work, delayMs);
  else work();
}

function drip(response: ServerResponse): void {
  if (response.destroyed) return;
  response.write('x');
  setTimeout(() => drip(response), DRIP_MS);
}

function flood(response: ServerResponse, left: number): void {
  let rest = left;
  while (rest > 0 && !response.destroyed) {
    rest -= CHUNK.length;
    if (!response.write(CHUNK)) {
      response.once('drain', () => flood(response, rest));
      return;
    }
  }
  response.end();
}
