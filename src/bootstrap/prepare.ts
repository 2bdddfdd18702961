import { join } from 'node:path';
import type { AppParts } from '../app.module.js';
import type { Config } from '../config/index.js';
import { startEmbeddedPostgres } from '../database/index.js';
import { parseKeyRing } from '../vault/index.js';
import { localSecrets } from './local-secrets.js';

export interface Prepared extends AppParts {
  /** Stops what was started here. */
  stop(): Promise<void>;
}

/**
 * Turns settings into what the application is made of. In development the missing pieces are provided: a master key in
 * DATA_DIR and a PostgreSQL server of its own.
 */
export async function prepare(config: Config, log: (line: string) => void): Promise<Prepared> {
  const given = { masterKey: config.get('MASTER_KEY'), databaseUrl: config.get('DATABASE_URL') };
  const local = given.masterKey && given.databaseUrl ? null : localSecrets(config.get('DATA_DIR'));
  const vault = parseKeyRing(given.masterKey ?? local?.masterKey ?? '');
  if (given.databaseUrl) return { config, vault, stop: async () => undefined };
  const postgres = await startEmbeddedPostgres({
    dataDir: join(config.get('DATA_DIR'), 'postgres'),
    password: local?.databasePassword ?? '',
    log,
  });
  return { config: config.with({ DATABASE_URL: postgres.url }), vault, stop: () => postgres.stop() };
}
