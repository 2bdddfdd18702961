import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'listening';

/** A `listen` that runs in this folder. */
export interface RunningListener {
  environmentId: string;
  url: string;
  /** It signs with a secret that it was given, which is not written down. */
  hasOwnSecret: boolean;
}

/** Says in DATA_DIR that this process listens, until it is done. Where nothing can be written nobody is told. */
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

/** The newest `listen` of an environment whose process is alive; null when there is none. */
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

/** Signal 0 only asks whether there is such a process. */
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
    // It ended this very moment.
    return null;
  }
}
