import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The connections on which nothing was ever sent: a browser or a balancer opens them ahead of its next request. For Node
 * they are not idle but the beginning of a request, and a server that closes waits for it.
 */
export class SilentConnections {
  private readonly open = new Set<Socket>();

  /** Only connections that are made from now on are known. */
  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.open.add(socket);
      socket.once('close', () => this.open.delete(socket));
    });
  }

  end(): void {
    for (const socket of this.open) if (socket.bytesRead === 0) socket.destroy();
  }
}
