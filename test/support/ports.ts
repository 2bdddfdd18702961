import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ephemeral port range (32768 and up on Linux), so that only listeners conflict. */
const FIRST = 14_000;
const OF_A_WORKER = 3_000;
const WORKERS = 6;

const worker = Number(process.env['JEST_WORKER_ID'] ?? 0) % WORKERS;
let next = randomInt(OF_A_WORKER);

/**
 * A port for a server that is restarted: unlike one picked by the system, no connection takes it in between, and no
 * other worker of the run does.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < OF_A_WORKER; tries += 1) {
    const port = FIRST + worker * OF_A_WORKER + next;
    next = (next + 1) % OF_A_WORKER;
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port from ${FIRST}.`);
}

export const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
