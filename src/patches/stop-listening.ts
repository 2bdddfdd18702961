import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';

/**
 * Takes no more connections, and leaves those that are open alone. `close` of an HTTP server closes idle connections
 * first, on which a balancer may be sending a request at that moment (decision 0022); that of the server below it does
 * not.
 * @returns resolves when the last connection has ended
 */
export const stopListening = (server: Server): Promise<void> =>
  new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()));
