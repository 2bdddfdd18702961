import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createServer } from 'node:net';
import { findFreePort } from './free-port.js';

const server = createServer();
let taken: number;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  taken = typeof address === 'object' && address ? address.port : 0;
});
afterAll(() => {
  server.close();
});

test('the preferred port is kept while it is free', async () => {
  const port = await findFreePort();
  expect(await findFreePort(port)).toBe(port);
});

test('a taken port is replaced by another', async () => {
  const port = await findFreePort(taken);
  expect(port).not.toBe(taken);
  expect(port).toBeGreaterThan(0);
});
