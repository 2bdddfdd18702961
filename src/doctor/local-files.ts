import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DataFolder } from './checks/data-folder.js';

/** Secret files that the first start creates in DATA_DIR. */
const MASTER_KEY = 'master.key';
const SECRETS = [MASTER_KEY, 'postgres.password', 'quickstart.json'];

export function inspectDataFolder(path: string): Pick<DataFolder, 'path' | 'modes'> {
  if (!existsSync(path)) return { path, modes: null };
  const files = SECRETS.map((name) => join(path, name)).filter((file) => existsSync(file));
  return { path, modes: new Map(files.map((file) => [file, statSync(file).mode & 0o777])) };
}

/** The text of the key ring created by the first start; null before it. */
export function readLocalKey(dataDir: string): string | null {
  const path = join(dataDir, MASTER_KEY);
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : null;
}
