import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, Socket, type AddressInfo, type Server } from 'node:net';
import { GatheredSocket } from './gathered-socket.js';

/** How often a socket enters the kernel to write. */
function counted(socket: Socket): { socket: Socket; writes: () => number } {
  let writes = 0;
  const [write, writev] = [socket._write.bind(socket), socket._writev?.bind(socket)];
  socket._write = (...call) => ((writes += 1), write(...call));
  socket._writev = (...call) => ((writes += 1), writev?.(...call));
  return { socket, writes: () => writes };
}

describe('a connection that gathers what is written', () => {
  let server: Server;
  let received = '';

  async function connected(socket: Socket): Promise<ReturnType<typeof counted>> {
    received = '';
    server = createServer((peer) => peer.on('data', (chunk: Buffer) => (received += chunk.toString())));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    socket.connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    return counted(socket);
  }

  /** Three statements of one turn, the last two behind promises, and one of another turn. */
  async function written({ socket, writes }: ReturnType<typeof counted>): Promise<number> {
    await Promise.resolve();
    socket.write('one ');
    await Promise.resolve();
    socket.cork();
    socket.write('two ');
    socket.uncork();
    await Promise.resolve();
    socket.write('three ');
    await new Promise((resolve) => setTimeout(resolve, 1));
    const first = writes();
    socket.end('four');
    await once(socket, 'close');
    expect(received).toBe('one two three four');
    return first;
  }

  afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

  it('writes once for all of a turn, in order and without loss', async () => {
    expect(await written(await connected(new GatheredSocket()))).toBe(1);
  });

  it('which another one does not', async () => {
    expect(await written(await connected(new Socket()))).toBe(3);
  });
});
