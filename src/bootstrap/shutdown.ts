import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import { Drain } from '../common/http/drain.js';
import { Config } from '../config/index.js';
import { stopListening } from '../patches/index.js';
import { SilentConnections } from './silent-connections.js';
import type { Voice } from './voice.js';

/** The longest a stop may take before the process ends anyway, in milliseconds … */
const PATIENCE_MS = 25_000;
/** … or more where a long drain would leave less than this for what runs. */
const AFTER_DRAIN_MS = 20_000;
/** What is left of it, in milliseconds, when whoever is still connected is cut off: jobs and the database end in order. */
const AFTER_CUT_MS = 5_000;
/**
 * How long idle connections are kept after the last one was taken. Within it a balancer learns, by being refused, that
 * nobody listens, and leaves its open connections alone: a request must never meet the closing of one.
 */
const LINGER_MS = 1_000;

/** What a stop closes first, once it is there. */
export interface Stopping {
  /** Whether the process is about to end: whatever fails from then on is no fault. */
  readonly isBegun: boolean;
  /** From here on there is an application, which ends before what it runs on. */
  serves(app: INestApplication): void;
}

/**
 * On SIGINT or SIGTERM: let the balancer notice, finish what runs, then stop what this process started, then leave. From the
 * first step of a start on: what was started by then is stopped, and a database of its own does not stay behind.
 */
export function stopOnSignals(stopServices: () => Promise<void>, voice: Voice): Stopping {
  let isBegun = false;
  let served: Served | null = null;
  const stop = async (): Promise<void> => {
    if (isBegun) return;
    isBegun = true;
    const drainMs = served ? drainOf(served.app) : 0;
    const patienceMs = Math.max(PATIENCE_MS, drainMs + AFTER_DRAIN_MS);
    setTimeout(() => {
      voice.complain(`Gatehouse did not stop within ${patienceMs / 1_000} s and ends as it is.`);
      process.exit(1);
    }, patienceMs).unref();
    const status = served ? await close(served, { drainMs, cutMs: patienceMs - AFTER_CUT_MS }, voice) : 0;
    await stopServices();
    if (status === 0) voice.say('Gatehouse has stopped.');
    process.exit(status);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
  return {
    get isBegun() {
      return isBegun;
    },
    serves: (app) => {
      const server = app.getHttpServer() as Server;
      served = { app, server, silent: new SilentConnections(server) };
    },
  };
}

interface Served {
  readonly app: INestApplication;
  readonly server: Server;
  readonly silent: SilentConnections;
}

function drainOf(app: INestApplication): number {
  const config = app.get(Config);
  return config.answersRequests ? config.get('DRAIN_SECONDS') * 1_000 : 0;
}

/** @returns the status of the process */
async function close(
  { app, server, silent }: Served,
  { drainMs, cutMs }: { drainMs: number; cutMs: number },
  voice: Voice,
): Promise<number> {
  // A stranger who sends half a request would otherwise keep what comes after the server from being stopped.
  const cut = setTimeout(() => {
    voice.complain('Requests that were still running while Gatehouse stops have been cut off.');
    server.closeAllConnections();
  }, cutMs);
  try {
    app.get(Drain).begin();
    if (drainMs > 0) await leaveBalancer(server, drainMs);
    silent.end();
    await app.close();
    return 0;
  } catch (error) {
    voice.complain(`Gatehouse did not stop as it should: ${(error as Error).message}`);
    return 1;
  } finally {
    clearTimeout(cut);
  }
}

/** Answers as before while readiness says no, then takes no more connections, and still answers on those that are open. */
async function leaveBalancer(server: Server, drainMs: number): Promise<void> {
  await sleep(drainMs);
  await Promise.race([stopListening(server), sleep(LINGER_MS)]);
}
