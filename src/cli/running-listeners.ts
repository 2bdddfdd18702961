import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'listening';

/** A running `listen` that uses this data folder. */
export interface RunningListener {
  environmentId: string;
  url: string;
  /** It signs with the secret it was given, which is not written to disk. */
  hasOwnSecret: boolean;
}

/** Records in DATA_DIR that this process listens, and returns what removes the record. A no-op on a read-only folder. */
export function announceListener(dataDir: string, listener: RunningListener): () => void {
  const path = join(dataDir, FOLDER, `${process.pid}.json`);
  try {
    mkdirSync(join(dataDir, FOLDER), { recursive: true, mode: 0o700 });
    writeFileSync(path, JSON.stringify(listener), { mode: 0o600 });
  } catch {
    return () => undefined;
  }
  return () => rmSync(path, { force: true });
}

/** A `listen` of an environment whose process is alive, or null. */
export function findListener(dataDir: string, environmentId: string): RunningListener | null {
  let found: RunningListener | null = null;
  for (const name of namesIn(join(dataDir, FOLDER))) {
    const listener = isAlive(Number.parseInt(name, 10)) ? read(join(dataDir, FOLDER, name)) : null;
    if (listener?.environmentId === environmentId) found = listener;
  }
  return found;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+\.json$/.test(name));
  } catch {
    return [];
  }
}

/** Signal 0 only checks whether the process exists. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function read(path: string): RunningListener | null {
  try {
    const { environmentId, url, hasOwnSecret } = JSON.parse(readFileSync(path, 'utf8')) as Partial<RunningListener>;
    return environmentId && url ? { environmentId, url, hasOwnSecret: hasOwnSecret === true } : null;
  } catch {
    // The process has just ended and removed its file.
    return null;
  }
}
