import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, writeNewFile } from '../common/own-files.js';
import { generateMasterKey } from '../vault/index.js';

/** Secrets that a development machine generates on first start. */
export interface LocalSecrets {
  masterKey: string;
  databasePassword: string;
}

/** In DATA_DIR. */
export const MASTER_KEY_FILE = 'master.key';
const PASSWORD_FILE = 'postgres.password';

const OWNER_ONLY = 0o600;

function readOrMake(path: string, make: () => string): string {
  if (!existsSync(path)) {
    try {
      writeNewFile(path, `${make()}\n`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  chmodSync(path, OWNER_ONLY);
  return readFileSync(path, 'utf8').trim();
}

/** Reads the secrets in `dataDir` and generates missing ones, readable only by their owner. */
export function localSecrets(dataDir: string): LocalSecrets {
  makeFolder(dataDir);
  return {
    masterKey: readOrMake(join(dataDir, MASTER_KEY_FILE), generateMasterKey),
    databasePassword: readOrMake(join(dataDir, PASSWORD_FILE), () => randomBytes(24).toString('hex')),
  };
}

/** Whether the built-in PostgreSQL has been set up. Looks at files only: connecting would set it up. */
export const hasLocalDatabase = (dataDir: string): boolean =>
  existsSync(join(dataDir, 'postgres', 'PG_VERSION')) &&
  [MASTER_KEY_FILE, PASSWORD_FILE].every((name) => existsSync(join(dataDir, name)));
