import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { stopListening } from './stop-listening.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

describe('a server that takes no more connections', () => {
  let server: Server;
  let idle: Socket;

  /** A connection that was answered and waits for its next request. */
  async function start(): Promise<number> {
    server = createServer((_request, response) => void response.end('ok'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    idle = connect(port, '127.0.0.1');
    idle.write(REQUEST);
    await once(idle, 'data');
    return port;
  }
  afterEach(() => {
    idle.destroy();
    server.closeAllConnections();
  });

  it('answers on those that are open, and is closed when they have ended', async () => {
    const port = await start();
    const closed = stopListening(server);
    const [refused] = (await once(connect(port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];
    expect(refused.code).toBe('ECONNREFUSED');
    idle.write(REQUEST);
    const [answer] = (await once(idle, 'data')) as [Buffer];
    expect(String(answer)).toContain('200 OK');
    idle.destroy();
    await closed;
  });

  it('would have closed them by itself: once it no longer does, this patch can go', async () => {
    await start();
    server.close();
    await once(idle, 'close');
  });
});
