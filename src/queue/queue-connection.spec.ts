import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import Bull from 'bull';
import { queueConnection } from './queue-connection.js';

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket.on('error', () => undefined)));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

/** What Bull is given by the module, as a queue of its own. */
function openQueue(url: string): void {
  const queue = new Bull('probe', { redis: queueConnection(url) });
  queue.on('error', () => undefined);
  // Connections are opened by what first needs them.
  queue.getJobCounts().catch(() => undefined);
  closing.push(() => queue.clients.forEach((client) => client.disconnect()));
}

describe('the connections of the queue to Redis', () => {
  it('say nothing in the clear to an address of rediss', async () => {
    const server = createServer();
    const port = await listen(server);
    const said = new Promise<Buffer>((resolve) => server.once('connection', (socket) => socket.once('data', resolve)));
    openQueue(`rediss://:hush@127.0.0.1:${port}`);
    const first = await said;
    expect(first.toString('latin1')).not.toContain('hush');
    // The type of a record of TLS that holds a handshake (RFC 8446, 5.1).
    expect(first[0]).toBe(22);
  });

  it('have all that the address says', () => {
    const { retryStrategy, ...said } = queueConnection('rediss://ann:p%40ss%2Fword@[::1]:6390/3?family=6');
    expect(said).toEqual({
      host: '::1',
      port: 6390,
      username: 'ann',
      password: 'p@ss/word',
      db: 3,
      family: 6,
      tls: {},
    });
    expect([1, 8, 30].map((times) => retryStrategy?.(times))).toEqual([1_000, Math.exp(8), 20_000]);
    expect(queueConnection('redis://redis')).toMatchObject({ host: 'redis', port: 6379, password: '', db: 0 });
    expect(queueConnection('redis://redis').tls).toBeUndefined();
  });

  it('are opened again at a measured pace while Redis refuses the password', async () => {
    let opened = 0;
    const server = createServer((socket) => {
      opened++;
      socket.on('data', () => socket.write('-WRONGPASS invalid username-password pair or user is disabled.\r\n'));
    });
    const port = await listen(server);
    openQueue(`redis://:wrong@127.0.0.1:${port}`);
    await sleep(1_500);
    expect(opened).toBeGreaterThan(0);
    expect(opened).toBeLessThanOrEqual(3);
  });
});
