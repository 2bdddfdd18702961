import type { INestApplication } from '@nestjs/common';

/** The longest a stop may take before the process ends anyway, in milliseconds. */
const PATIENCE_MS = 25_000;

/** On SIGINT or SIGTERM: finish what runs, then stop what this process started, then leave. */
export function stopOnSignals(app: INestApplication, stopServices: () => Promise<void>): void {
  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), PATIENCE_MS).unref();
    let status = 0;
    try {
      await app.close();
    } catch (error) {
      console.error(`Stopping: ${(error as Error).message}`);
      status = 1;
    }
    await stopServices();
    process.exit(status);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
}
