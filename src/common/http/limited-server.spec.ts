import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { limitedServer } from './limited-server.js';

/** Headers have half a second, a request a second and a half. */
const SCALE = 0.05;

describe('a request that takes its time', () => {
  let server: Server;

  beforeEach(async () => {
    server = limitedServer((request, response) => request.resume().on('end', () => response.end()), SCALE);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it.each([
    ['nothing at all', '', 500],
    ['half of its headers', 'GET / HTTP/1.1\r\nHost: a\r\n', 500],
    ['half of its body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{', 1_500],
  ])('is ended at its limit: %s', async (_what, text, limitMs) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    const startedAt = performance.now();
    if (text !== '') socket.write(text);
    await once(socket.resume(), 'close');
    const ms = performance.now() - startedAt;
    expect(ms).toBeGreaterThan(limitMs - 100);
    expect(ms).toBeLessThan(limitMs + 3_000);
  });
});
