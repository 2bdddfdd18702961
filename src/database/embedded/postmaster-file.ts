import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What a running server records in `postmaster.pid` (PostgreSQL `miscadmin.h`, LOCK_FILE_LINE_*). */
export interface PostmasterFile {
  readonly pid: number;
  readonly port: number;
  /** True once connections are accepted; false while starting or stopping. */
  readonly ready: boolean;
}

/** Null for an incomplete file. */
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

/** The running server of this cluster, whoever started it; null if there is none or its process is dead. */
export function findPostmaster(dataDir: string): PostmasterFile | null {
  const file = readPostmasterFile(dataDir);
  if (!file) return null;
  if (isPostmasterOf(dataDir, file.pid)) return file;
  // PostgreSQL replaces a stale file itself, but gives up if the process id now belongs to another program of the same
  // user, as happens after a reboot.
  if (isAlive(file.pid)) rmSync(join(dataDir, 'postmaster.pid'), { force: true });
  return null;
}

/** The port of the cluster's last server, from the options file that it leaves behind. */
export function findLastPort(dataDir: string): number | null {
  try {
    const match = /"-p" "(\d+)"/.exec(readFileSync(join(dataDir, 'postmaster.opts'), 'utf8'));
    return match ? Number(match[1]) : null;
  } catch {
    return null;
  }
}

/** Whether the process exists and is the server of this folder, so that no unrelated process is ever signalled. */
export function isPostmasterOf(dataDir: string, pid: number): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform === 'win32') return true;
  try {
    // A server's working directory is its data directory; a finished process has none.
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
