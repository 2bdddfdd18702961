import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type AddressInfo, type Server } from 'node:net';
import type { Pool, PoolConfig } from 'pg';
import { foundRoom, wantsRoom } from './disk-room.js';
import { pooledDriver } from './pooled-driver.js';

/** A message of PostgreSQL's protocol, version 3 (section 54.7). */
function message(type: string, body: Buffer | string = ''): Buffer {
  const content = Buffer.from(body);
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

const READY = message('Z', 'I');
const WELCOME = Buffer.concat([message('R', Buffer.alloc(4)), READY]);
const ENDED = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0');
const FULL = message('E', 'SERROR\0VERROR\0C53100\0Mcould not extend file: No space left on device\0\0');

describe('a connection', () => {
  let server: Server;
  let pool: Pool;

  afterEach(async () => {
    await pool.end();
    await new Promise((resolve) => server.close(resolve));
  });

  it('that ends in the moment in which it is handed on fails for who gets it, not for the process', async () => {
    server = createServer((socket) => {
      socket.once('data', () => {
        socket.write(WELCOME);
        // The end of the first statement and that of the session arrive together.
        socket.once('data', () => socket.end(Buffer.concat([message('C', 'SELECT 0\0'), READY, ENDED])));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { Pool: PoolOfDriver } = pooledDriver() as { Pool: new (options: PoolConfig) => Pool };
    pool = new PoolOfDriver({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, user: 'u', max: 1 });
    const first = pool.query('SELECT');
    const second = pool.connect();
    expect((await first).command).toBe('SELECT');
    const client = await second;
    await expect(client.query('SELECT')).rejects.toThrow();
    client.release(true);
  });

  it('on which something is refused for want of room says so of its pool', async () => {
    server = createServer((socket) => {
      socket.once('data', () => {
        socket.write(WELCOME);
        socket.once('data', () => socket.write(Buffer.concat([FULL, READY])));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { Pool: PoolOfDriver } = pooledDriver() as { Pool: new (options: PoolConfig) => Pool };
    pool = new PoolOfDriver({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, user: 'u', max: 1 });
    const client = await pool.connect();
    expect(wantsRoom(pool)).toBe(false);
    await expect(client.query('INSERT')).rejects.toThrow('No space left on device');
    expect(wantsRoom(pool)).toBe(true);
    foundRoom(pool);
    expect(wantsRoom(pool)).toBe(false);
    client.release(true);
  });
});
