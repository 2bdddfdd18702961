import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';

/**
 * Stops accepting connections and leaves open ones alone. `close` of an HTTP server first closes idle connections, on
 * which a balancer may be sending a request at that moment (decision 0022); that of the underlying net server does not.
 *
 * @returns resolves when the last connection has ended
 */
export const stopListening = (server: Server): Promise<void> =>
  new Promise((resolve) => NetServer.prototype.close.call(server, () => resolve()));
