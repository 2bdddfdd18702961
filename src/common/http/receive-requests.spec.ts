import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { receiveRequests } from './receive-requests.js';

describe('a request', () => {
  const seen: { status: number; durationMs: number }[] = [];
  let server: Server;
  let address: string;

  beforeEach(async () => {
    seen.length = 0;
    const app = express();
    app.use(
      receiveRequests({ observer: { answered: (_request, status, durationMs) => seen.push({ status, durationMs }) } }),
    );
    app.get('/answered', (_request, response) => void response.json({}));
    app.get('/begun', (_request, response) => void response.write('a'));
    server = createServer(app);
    app.get('/silent', () => void server.emit('reached'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });

  const observed = async (): Promise<typeof seen> => {
    for (let waited = 0; seen.length === 0 && waited < 2_000; waited += 10)
      await new Promise((go) => setTimeout(go, 10));
    return seen;
  };

  it('is observed with the status of its answer, even if that broke off', async () => {
    get(`${address}/answered`, (response) => response.resume());
    expect(await observed()).toMatchObject([{ status: 200 }]);
    seen.length = 0;
    const call = get(`${address}/begun`, () => call.destroy()).on('error', () => undefined);
    expect(await observed()).toMatchObject([{ status: 200 }]);
  });

  it('is observed if its client has left before it was answered', async () => {
    const call = get(`${address}/silent`).on('error', () => undefined);
    await once(server, 'reached');
    call.destroy();
    expect(await observed()).toMatchObject([{ status: 499, durationMs: expect.any(Number) }]);
  });
});
