import { Logger } from '@nestjs/common';
import { startTestApp, type TestApp } from './app.js';
import { keepStrategiesApart } from './own-strategies.js';
import { loggerFor } from '../../src/bootstrap/create-app.js';

let running: Promise<TestApp> | null = null;

/**
 * The application of suites that want nothing but one, started by the first of them in a worker: those that follow find its
 * connections open and their statements prepared. It runs no jobs. Tenants are each suite's own, mocks are taken back at its
 * end; a suite that changes more of an application, or asks what else it holds, starts one of its own (`startTestApp`).
 */
export async function sharedTestApp(): Promise<TestApp> {
  // Without a worker nobody says when the last suite is over.
  if (!process.send) return startTestApp({ env: { ROLE: 'api' } });
  running ??= start();
  const app = await running;
  // What belongs to the whole process, and others have made theirs.
  Logger.overrideLogger(await loggerFor(app.config));
  keepStrategiesApart(app.app);
  return { ...app, close: async () => undefined };
}

async function start(): Promise<TestApp> {
  const app = await startTestApp({ env: { ROLE: 'api' } });
  closeWithWorker(app);
  return app;
}

/** Jest ends a worker by listening to it no more, and waits until nothing is open in it. */
function closeWithWorker(app: TestApp): void {
  const close = (event: string | symbol): void => {
    if (event !== 'message' || process.listenerCount('message') > 0) return;
    process.off('removeListener', close);
    void app.close();
  };
  process.on('removeListener', close);
}
