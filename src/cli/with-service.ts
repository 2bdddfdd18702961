import type { INestApplicationContext } from '@nestjs/common';
import { createApp, explainStartFailure, hasLocalDatabase, prepare } from '../bootstrap/index.js';
import { ApiError } from '../common/errors/index.js';
import { Config } from '../config/index.js';
import { UsageError } from './arguments.js';

/** Runs `work` with the service as it is configured here, which takes no requests. */
export async function runWithService(work: (app: INestApplicationContext) => Promise<void>): Promise<void> {
  // Operators' programs deliver nothing: instances that run do.
  const config = Config.load().with({ ROLE: 'api', LOG_LEVEL: 'error' });
  assertDatabase(config);
  const prepared = await prepare(config, (text) => console.error(text));
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
