import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TcpProxy } from './support/tcp-proxy.js';

describe('the proxy that is late', () => {
  let echo: Server;
  let proxy: TcpProxy;

  beforeAll(async () => {
    echo = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
    await once(echo, 'listening');
    proxy = await TcpProxy.start((echo.address() as AddressInfo).port);
  });

  afterAll(async () => {
    await proxy.stop();
    echo.close();
  });

  it('keeps the order of the bytes when the delay becomes shorter', async () => {
    const client = connect(proxy.port, '127.0.0.1');
    let heard = '';
    client.on('data', (bytes) => (heard += bytes.toString()));
    proxy.delayMs = 200;
    client.write('first ');
    await sleep(50);
    expect(heard).toBe('');
    proxy.delayMs = 0;
    client.write('second ');
    while (heard.length < 'first second '.length) await sleep(5);
    client.destroy();
    expect(heard).toBe('first second ');
  });
});
