import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { keepNoLonger, stopAccepting } from './stop-accepting.js';

const KEPT = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

let server: Server;

beforeEach(async () => {
  server = createServer((_, response) => void response.end('served'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => server.closeAllConnections());

const opened = (): Socket => connect((server.address() as AddressInfo).port, '127.0.0.1');

/** Keeps the event loop from seeing what arrives. */
function busy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it('a stop serves connections that arrived while the process was busy', async () => {
  const sockets = Array.from({ length: 20 }, opened);
  for (const socket of sockets) socket.write(REQUEST);
  busy(20);
  const [answers] = await Promise.all([Promise.all(sockets.map((socket) => text(socket))), stopAccepting(server, 50)]);
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*served$/);
});

it('a stop knows the requests that arrived on open connections while it lingered', async () => {
  const socket = opened();
  socket.write(KEPT);
  await once(socket, 'data');
  const stopped = stopAccepting(server, 50).then(() => server.closeIdleConnections());
  await sleep(20);
  // After this phase of the event loop come timers that are over by now, and only then what has arrived.
  await turn();
  socket.write(REQUEST);
  const answer = text(socket);
  busy(100);
  await stopped;
  expect(await answer).toMatch(/served$/);
});

it('a stop does not wait for a client that keeps its connection after the last response', async () => {
  server.keepAliveTimeout = 60_000;
  server.removeAllListeners('request').on('request', (_, response) => void setTimeout(() => response.end('slow'), 100));
  const socket = opened();
  socket.write(KEPT);
  await once(server, 'request');
  await stopAccepting(server, 10);
  keepNoLonger(server);
  server.closeIdleConnections();
  expect(await text(socket)).toMatch(/slow$/);
});

it('a stop accepts nothing afterwards', async () => {
  const { port } = server.address() as AddressInfo;
  await stopAccepting(server, 10);
  const [error] = (await once(connect(port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];
  expect(error.code).toBe('ECONNREFUSED');
});
