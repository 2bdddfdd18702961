import type { INestApplicationContext } from '@nestjs/common';
import { createApp, explainStartFailure, hasLocalDatabase, prepare } from '../bootstrap/index.js';
import { ApiError } from '../common/errors/index.js';
import { Config } from '../config/index.js';
import { UsageError } from './arguments.js';

/** With what a program ends that a signal has ended. */
const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

/** Runs `work` with the service as it is configured here, which takes no requests. */
export async function runWithService(work: (app: INestApplicationContext) => Promise<void>): Promise<void> {
  // Operators' programs deliver nothing: instances that run do.
  const config = Config.load().with({ ROLE: 'api', LOG_LEVEL: 'error' });
  assertDatabase(config);
  const preparing = prepare(config, (text) => console.error(text));
  stopOnInterrupt(async () => (await preparing.catch(() => null))?.stop());
  const prepared = await preparing;
  try {
    const app = await createApp(prepared);
    try {
      await app.init();
      await work(app);
    } finally {
      await app.close();
    }
  } finally {
    await prepared.stop();
  }
}

/**
 * Whoever interrupts a command cuts it off where it is, and no database of its own stays behind. A command that listens to
 * signals itself ends in its own way. Pressed twice, it ends at once.
 */
function stopOnInterrupt(stopServices: () => Promise<void>): void {
  for (const [signal, status] of SIGNALS) {
    let isAsked = false;
    process.on(signal, () => {
      if (isAsked) process.exit(status);
      isAsked = true;
      if (process.listenerCount(signal) > 1) return;
      void stopServices()
        .catch((error: unknown) => console.error(`What was started could not be stopped: ${(error as Error).message}`))
        .finally(() => process.exit(status));
    });
  }
}

/** What was refused as a client would be told it, and everything else as a start that failed. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return explainStartFailure(error);
  return [error.message, error.details.hint].filter(Boolean).join(' ');
}

/** A command that finds no service must not leave an empty one behind. */
function assertDatabase(config: Config): void {
  const dataDir = config.get('DATA_DIR');
  if (config.get('DATABASE_URL') !== null || hasLocalDatabase(dataDir)) return;
  throw new UsageError(
    `There is no database here: set DATABASE_URL to that of the service, or DATA_DIR to its folder (seen: ${dataDir}). One that is new is made by npm start.`,
  );
}
