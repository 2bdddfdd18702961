import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DataFolder } from './checks/data-folder.js';

/** What a first start leaves in DATA_DIR and nobody else may read. */
const MASTER_KEY = 'master.key';
const SECRETS = [MASTER_KEY, 'postgres.password', 'quickstart.json'];

export function inspectDataFolder(path: string): DataFolder {
  if (!existsSync(path)) return { path, modes: null };
  const files = SECRETS.map((name) => join(path, name)).filter((file) => existsSync(file));
  return { path, modes: new Map(files.map((file) => [file, statSync(file).mode & 0o777])) };
}

/** The text of the key ring that a first start made; null before. */
export function readLocalKey(dataDir: string): string | null {
  const path = join(dataDir, MASTER_KEY);
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
}
