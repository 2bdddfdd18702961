import { Logger } from '@nestjs/common';
import { startTestApp, type TestApp } from './app.js';
import { keepStrategiesApart } from './own-strategies.js';
import { loggerFor } from '../../src/bootstrap/create-app.js';

let running: Promise<TestApp> | null = null;

/**
 * One application per worker for suites that need nothing special, started by the first of them: the others find its
 * connections open and its statements prepared. It runs no jobs. Each suite has its own tenants, and mocks are restored
 * at its end; a suite that changes more, or checks what else an application holds, starts its own (`startTestApp`).
 */
export async function sharedTestApp(): Promise<TestApp> {
  // Without a worker nothing signals that the last suite is over.
  if (!process.send) return startTestApp({ env: { ROLE: 'api' } });
  running ??= start();
  const app = await running;
  // These are global to the process, and other applications have set them.
  Logger.overrideLogger(await loggerFor(app.config));
  keepStrategiesApart(app.app);
  return { ...app, close: async () => undefined };
}

async function start(): Promise<TestApp> {
  const app = await startTestApp({ env: { ROLE: 'api' } });
  closeWithWorker(app);
  return app;
}

/** Jest ends a worker by removing its message listener, and waits until the worker has nothing open. */
function closeWithWorker(app: TestApp): void {
  const close = (event: string | symbol): void => {
    if (event !== 'message' || process.listenerCount('message') > 0) return;
    process.off('removeListener', close);
    void app.close();
  };
  process.on('removeListener', close);
}
