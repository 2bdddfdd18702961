import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What a running server says of itself in `postmaster.pid` (PostgreSQL `miscadmin.h`, LOCK_FILE_LINE_*). */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  /** True once connections are accepted; false while starting or stopping. */
  readonly ready: boolean;
}

/** Null for a file that is not written to the end yet. */
export function parsePostmasterFile(text: string): PostmasterFile | null {
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!Number.isInteger(pid) || pid <= 0 || !Number.isInteger(port) || port <= 0) return null;
  return { pid, port, ready: lines[7] === 'ready' };
}

export function readPostmasterFile(dataDir: string): PostmasterFile | null {
  try {
    return parsePostmasterFile(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The server of this cluster if one is running, whoever started it. A file of a dead process counts as none. */
export function findPostmaster(dataDir: string): PostmasterFile | null {
  const file = readPostmasterFile(dataDir);
  if (!file) return null;
  if (isPostmasterOf(dataDir, file.pid)) return file;
  // PostgreSQL replaces the file of a dead process itself but gives up when the number is in use by another program
  // of the same user, as happens after a restart of the machine.
  if (isAlive(file.pid)) rmSync(join(dataDir, 'postmaster.pid'), { force: true });
  return null;
}

/** The port the last server of this cluster was started on, from the options file that outlives it. */
export function findLastPort(dataDir: string): number | null {
  try {
    const match = /"-p" "(\d+)"/.exec(readFileSync(join(dataDir, 'postmaster.opts'), 'utf8'));
    return match ? Number(match[1]) : null;
  } catch {
    return null;
  }
}

/** Whether the process exists and is the server of this very folder, so that no stranger is ever signalled. */
export function isPostmasterOf(dataDir: string, pid: number): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform === 'win32') return true;
  try {
    // The working directory of a server is its data directory; a finished process has none.
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dataDir);
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(dataDir);
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
