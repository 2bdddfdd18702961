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

/** On SIGINT or SIGTERM: let the balancer notice, finish what runs, then stop what this process started, then leave. */
export function stopOnSignals(app: INestApplication, stopServices: () => Promise<void>, voice: Voice): void {
  let stopping = false;
  const server = app.getHttpServer() as Server;
  const silent = new SilentConnections(server);
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    const config = app.get(Config);
    const drainMs = config.answersRequests ? config.get('DRAIN_SECONDS') * 1_000 : 0;
    const patienceMs = Math.max(PATIENCE_MS, drainMs + AFTER_DRAIN_MS);
    setTimeout(() => {
      voice.complain(`Gatehouse did not stop within ${patienceMs / 1_000} s and ends as it is.`);
      process.exit(1);
    }, patienceMs).unref();
    // A stranger who sends half a request would otherwise keep what comes after the server from being stopped.
    const cut = setTimeout(() => {
      voice.complain('Requests that were still running while Gatehouse stops have been cut off.');
      server.closeAllConnections();
    }, patienceMs - AFTER_CUT_MS);
    let status = 0;
    try {
      app.get(Drain).begin();
      if (drainMs > 0) await leaveBalancer(server, drainMs);
      silent.end();
      await app.close();
    } catch (error) {
      voice.complain(`Gatehouse did not stop as it should: ${(error as Error).message}`);
      status = 1;
    }
    clearTimeout(cut);
    await stopServices();
    if (status === 0) voice.say('Gatehouse has stopped.');
    process.exit(status);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
}

/** Answers as before while readiness says no, then takes no more connections, and still answers on those that are open. */
async function leaveBalancer(server: Server, drainMs: number): Promise<void> {
  await sleep(drainMs);
  await Promise.race([stopListening(server), sleep(LINGER_MS)]);
}
