import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isStillThere } from './running-instance.js';

const environments = { sandbox: { id: 'sandbox', apiToken: 'token' }, live: { id: 'live', apiToken: 'token' } };

let own: Server;
let other: Server;

/** An instance that knows the token. */
async function instance(): Promise<Server> {
  const server = createServer((_, response) => void response.end('{"data":[]}'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const wroteAt = (server: Server) => ({
  api: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v0`,
  environments,
});

beforeEach(async () => {
  [own, other] = [await instance(), await instance()];
});
afterEach(() => {
  for (const server of [own, other]) server.close();
});

it('another instance that answers where the last one wrote is still there', async () => {
  expect(await isStillThere(wroteAt(other), own)).toBe(true);
});

it('one that has stopped is not', async () => {
  const gone = wroteAt(other);
  other.close();
  expect(await isStillThere(gone, own)).toBe(false);
});

it('nor is the instance that asks, which answers there itself after a change of its PUBLIC_URL', async () => {
  expect(await isStillThere(wroteAt(own), own)).toBe(false);
});
