import type { Server } from 'node:http';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { stopListening } from '../patches/index.js';

/** After this many turns, a process that is never quiet goes on. */
const MOST_TURNS = 500;
/** What arrives during a longer turn is only seen in the next one. */
const SHORT_MS = 0.2;

/** Not at once, since a client may just have begun to send its next request. Node adds a second. */
const KEPT_MS = 100;

/**
 * Stops accepting connections, then serves the open ones for a while. What has arrived by then is served as well: the
 * system resets connections that still wait to be accepted, and one whose request was not yet read looks idle.
 */
export async function stopAccepting(server: Server, lingerMs: number): Promise<void> {
  await untilQuiet(server);
  await Promise.race([stopListening(server), sleep(lingerMs)]);
  await untilQuiet(server);
}

/**
 * Closes connections soon after the response to a request that is still running. Its headers may have promised to keep
 * the connection, or the request began before the stop: the process would wait for the client to close it.
 */
export function keepNoLonger(server: Server): void {
  server.keepAliveTimeout = KEPT_MS;
}

/** Resolves after a short turn of the event loop in which nothing arrived. Node accepts one connection in each. */
async function untilQuiet(server: Server): Promise<void> {
  let arrivals = 0;
  const note = (): void => void arrivals++;
  server.on('connection', note).on('request', note);
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    const [before, begun] = [arrivals, performance.now()];
    await turn();
    if (arrivals === before && performance.now() - begun < SHORT_MS) break;
  }
  server.off('connection', note).off('request', note);
}
