import type { INestApplicationContext } from '@nestjs/common';
import { createApp, explainStartFailure, hasLocalDatabase, prepare } from '../bootstrap/index.js';
import { ApiError } from '../common/errors/index.js';
import { Config } from '../config/index.js';
import { UsageError } from './arguments.js';
import { complain } from './terminal.js';

/** Exit codes by convention: 128 plus the signal number. */
const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const;

/** Runs `work` with the service as configured here, without accepting requests. */
export async function runWithService(work: (app: INestApplicationContext) => Promise<void>): Promise<void> {
  // Commands run no jobs: running instances do.
  const config = Config.load().with({ ROLE: 'api', LOG_LEVEL: 'error' });
  assertDatabase(config);
  const preparing = prepare(config, complain);
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
 * An interrupted command stops where it is, and its embedded database is stopped too. A command with its own signal
 * handler stops by itself. A second signal ends the process at once.
 */
function stopOnInterrupt(stopServices: () => Promise<void>): void {
  for (const [signal, status] of SIGNALS) {
    let isAsked = false;
    process.on(signal, () => {
      if (isAsked) process.exit(status);
      isAsked = true;
      if (process.listenerCount(signal) > 1) return;
      void stopServices()
        .catch((error: unknown) => complain(`Started services could not be stopped: ${(error as Error).message}`))
        .finally(() => process.exit(status));
    });
  }
}

/** Explains a refusal as an API client would be told, and anything else as a failed start. */
export function explainFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return explainStartFailure(error);
  return [error.message, error.details.hint].filter(Boolean).join(' ');
}

/** A command run without a database must not create an empty one. */
function assertDatabase(config: Config): void {
  const dataDir = config.get('DATA_DIR');
  if (config.get('DATABASE_URL') !== null || hasLocalDatabase(dataDir)) return;
  throw new UsageError(
    `There is no database here: set DATABASE_URL to that of the service, or DATA_DIR to its folder (seen: ${dataDir}). npm start creates a new one.`,
  );
}
