import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { receiveRequests } from './receive-requests.js';
import { clientAddress } from './request.js';

let server: Server;

beforeAll(async () => {
  const app = express();
  app.set('trust proxy', ['127.0.0.1', '10.0.0.0/8']);
  app.use(receiveRequests());
  app.use((request, response) => void response.json(clientAddress(request)));
  server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => void server.close());

async function addressFor(forwarded?: string): Promise<unknown> {
  const { port } = server.address() as AddressInfo;
  const headers = forwarded === undefined ? undefined : { 'x-forwarded-for': forwarded };
  return (await fetch(`http://127.0.0.1:${port}/`, { headers })).json();
}

describe('the address of a client', () => {
  it.each([
    [undefined, '127.0.0.1'],
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:4711', '203.0.113.9'],
    ['2001:db8::1', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['[::ffff:203.0.113.9]:4711', '203.0.113.9'],
    // A client's own header, before the address that a proxy has appended.
    ['198.51.100.7, 203.0.113.9:4711', '203.0.113.9'],
    // Two proxies, the second of which reports a connection of the first.
    ['203.0.113.9:4711, 10.0.0.5:34001', '203.0.113.9'],
    ['unknown', 'unknown'],
  ])('reported as %s is %s', async (forwarded, address) => {
    expect(await addressFor(forwarded)).toBe(address);
  });

  it('is IPv4 as such where the service listens to both families', () => {
    const request = { headers: {}, socket: { remoteAddress: '::ffff:203.0.113.9' } };
    expect(clientAddress(request as never)).toBe('203.0.113.9');
  });
});
