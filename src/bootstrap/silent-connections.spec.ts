import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { SilentConnections } from './silent-connections.js';

const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

describe('connections on which nothing was sent', () => {
  let server: Server;
  let silent: SilentConnections;
  let opened: Socket[];

  beforeEach(async () => {
    server = createServer();
    silent = new SilentConnections(server);
    opened = [];
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    for (const socket of opened) socket.destroy();
    server.closeAllConnections();
    server.close();
  });

  /** A connection that the server has taken. */
  async function open(): Promise<Socket> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    opened.push(socket);
    await once(server, 'connection');
    return socket;
  }

  it('keep a server open that is told to close, and no longer once they are ended', async () => {
    const quiet = await open();
    let isClosed = false;
    const closed = once(server, 'close').then(() => (isClosed = true));
    server.close();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(isClosed).toBe(false);
    silent.end();
    await Promise.all([closed, once(quiet, 'close')]);
  });

  it('are told from one whose request is being answered', async () => {
    const quiet = await open();
    const asking = await open();
    asking.write(REQUEST);
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    silent.end();
    await once(quiet, 'close');
    response.end('done');
    const [answer] = (await once(asking, 'data')) as [Buffer];
    expect(String(answer)).toContain('200 OK');
  });

  it('are told from one that was answered and waits for its next request', async () => {
    const asked = await open();
    server.on('request', (_request, response: ServerResponse) => void response.end('ok'));
    asked.write(REQUEST);
    await once(asked, 'data');
    silent.end();
    asked.write(REQUEST);
    const [answer] = (await once(asked, 'data')) as [Buffer];
    expect(String(answer)).toContain('200 OK');
  });
});
