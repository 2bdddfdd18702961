import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Tracks connections on which nothing was ever received: browsers and load balancers open them ahead of the next request.
 * Node counts them as pending requests rather than idle, so a closing server would wait for them.
 */
export class SilentConnections {
  private readonly open = new Set<Socket>();

  /** Tracks only connections opened from now on. */
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
