import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import { Drain } from '../common/http/drain.js';
import { Config } from '../config/index.js';
import { SilentConnections } from './silent-connections.js';
import { keepNoLonger, stopAccepting } from './stop-accepting.js';
import type { Voice } from './voice.js';

/** The longest a stop may take before the process ends anyway, in milliseconds … */
const PATIENCE_MS = 25_000;
/** … or more where a long drain would leave less than this for what runs. */
const AFTER_DRAIN_MS = 20_000;
/** Milliseconds before that limit when open connections are cut, so that jobs and the database can still stop in order. */
const AFTER_CUT_MS = 5_000;
/**
 * How long idle connections are kept after the server stops accepting new ones. In that time a load balancer is refused
 * once and stops using its open connections, so that no request hits a closing one.
 */
const LINGER_MS = 1_000;

/** The state of a stop, and how the application joins it. */
export interface Stopping {
  /** Whether a stop has begun: later failures are expected. */
  readonly isBegun: boolean;
  /** Registers the application, which is closed before the services it uses. */
  serves(app: INestApplication): void;
}

/**
 * On SIGINT or SIGTERM: lets load balancers notice, finishes running work, stops what this process started, and exits.
 * Also works during start-up, so that an embedded database never stays behind.
 */
export function stopOnSignals(stopServices: () => Promise<void>, voice: Voice): Stopping {
  let isBegun = false;
  let served: Served | null = null;
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (isBegun) return;
    isBegun = true;
    const drainMs = served ? drainOf(served.app) : 0;
    const patienceMs = Math.max(PATIENCE_MS, drainMs + AFTER_DRAIN_MS);
    setTimeout(() => {
      voice.complain(`Gatehouse did not stop within ${patienceMs / 1_000} s and exits now.`);
      process.exit(1);
    }, patienceMs).unref();
    const status = served ? await close(served, { signal, drainMs, cutMs: patienceMs - AFTER_CUT_MS }, voice) : 0;
    await stopServices();
    if (status === 0) voice.say('Gatehouse has stopped.');
    process.exit(status);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(signal));
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

/** Nest hands the signal to `onApplicationShutdown`, although its interface does not say so. */
type Closable = INestApplication & { close(signal: NodeJS.Signals): Promise<void> };

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
  { signal, drainMs, cutMs }: { signal: NodeJS.Signals; drainMs: number; cutMs: number },
  voice: Voice,
): Promise<number> {
  // Otherwise a client that sends half a request would keep the rest from being stopped.
  const cut = setTimeout(() => {
    voice.complain('Requests still running during the shutdown were cut off.');
    server.closeAllConnections();
  }, cutMs);
  try {
    app.get(Drain).begin();
    if (drainMs > 0) await leaveBalancer(server, drainMs);
    silent.end();
    keepNoLonger(server);
    await (app as Closable).close(signal);
    return 0;
  } catch (error) {
    voice.complain(`Gatehouse did not stop cleanly: ${(error as Error).message}`);
    return 1;
  } finally {
    clearTimeout(cut);
  }
}

/** Serves as before while readiness fails, then stops accepting connections but still serves the open ones. */
async function leaveBalancer(server: Server, drainMs: number): Promise<void> {
  await sleep(drainMs);
  await stopAccepting(server, LINGER_MS);
}
