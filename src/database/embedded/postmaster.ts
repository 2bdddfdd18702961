import { spawn, spawnSync } from 'node:child_process';
import { closeSync, fchownSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { causeIn } from './cause-in.js';
import { SERVER_ENV, dataDirArgument } from './cluster.js';
import type { Cluster } from './cluster.js';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';
import { program } from './native-binaries.js';
import { isPostmasterOf, readPostmasterFile } from './postmaster-file.js';

/** For a single machine: little memory, no JIT compilation, TCP on loopback only, no replication. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '60',
  shared_buffers: '128MB',
  jit: 'off',
  io_method: 'sync',
  wal_level: 'minimal',
  max_wal_senders: '0',
  log_checkpoints: 'off',
  log_timezone: 'UTC',
  timezone: 'UTC',
};

const POLL_MS = 10;
/** Crash recovery after a power cut replays the log before the first connection is accepted. */
const READY_LIMIT_MS = 60_000;
const FAST_SHUTDOWN_LIMIT_MS = 10_000;
const IMMEDIATE_SHUTDOWN_LIMIT_MS = 5_000;
const LOG_LIMIT_BYTES = 1024 * 1024;

export type LaunchOutcome =
  | { readonly kind: 'ready'; readonly pid: number }
  /** Another process is listening on the port. */
  | { readonly kind: 'port-taken' }
  /** Another process started a server on this cluster a moment earlier. */
  | { readonly kind: 'already-running' }
  /** The previous server was killed and its sessions are still ending. */
  | { readonly kind: 'not-released' };

/**
 * Starts the server in its own process group, so that Ctrl-C in a terminal reaches only the service and the database
 * stays up until requests are drained. Its messages go to `server.log` in the data directory.
 *
 * @throws EmbeddedPostgresError with the server's last messages if it does not start.
 */
export async function launchPostmaster(
  cluster: Cluster,
  port: number,
  settings: Readonly<Record<string, string>>,
): Promise<LaunchOutcome> {
  const { dataDir, native, account } = cluster;
  const log = openLog(cluster);
  const options = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(
    program(native, 'postgres'),
    ['-D', dataDirArgument(dataDir, account), '-p', String(port), ...options],
    {
      cwd: dataDir,
      ...account,
      ...(process.platform === 'win32' ? {} : { env: SERVER_ENV }),
      detached: true,
      windowsHide: true,
      stdio: ['ignore', log.fd, log.fd],
    },
  );
  closeSync(log.fd);
  child.unref();
  let ended: string | null = null;
  child.once('error', (error) => (ended = error.message));
  child.once('exit', (code, signal) => (ended = `exit ${code ?? signal}`));

  for (let waitedMs = 0; waitedMs < READY_LIMIT_MS; waitedMs += POLL_MS) {
    const file = readPostmasterFile(dataDir);
    if (file?.ready && file.pid === child.pid) return { kind: 'ready', pid: file.pid };
    if (ended !== null) return explainExit(dataDir, log.text(), ended);
    await delay(POLL_MS);
  }
  if (child.pid !== undefined) signalPostmaster(cluster, child.pid, 'QUIT');
  throw new EmbeddedPostgresError(`PostgreSQL in ${dataDir} was not ready in time; see ${join(dataDir, 'server.log')}`);
}

/** Fast shutdown (transactions are rolled back, data is flushed), then immediate shutdown if that takes too long. */
export async function stopPostmaster(cluster: Cluster, pid: number): Promise<void> {
  if (!isPostmasterOf(cluster.dataDir, pid)) return;
  signalPostmaster(cluster, pid, 'INT');
  if (await hasEnded(cluster.dataDir, pid, FAST_SHUTDOWN_LIMIT_MS)) return;
  signalPostmaster(cluster, pid, 'QUIT');
  if (await hasEnded(cluster.dataDir, pid, IMMEDIATE_SHUTDOWN_LIMIT_MS)) return;
  throw new EmbeddedPostgresError(`PostgreSQL (process ${pid}) does not stop; end it with: kill -QUIT ${pid}`);
}

async function hasEnded(dataDir: string, pid: number, limitMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < limitMs; waitedMs += POLL_MS) {
    if (!isPostmasterOf(dataDir, pid)) return true;
    await delay(POLL_MS);
  }
  return false;
}

function signalPostmaster({ dataDir, native }: Cluster, pid: number, signal: 'INT' | 'QUIT'): void {
  if (process.platform === 'win32') spawnSync(program(native, 'pg_ctl'), ['kill', signal, String(pid)]);
  else if (isPostmasterOf(dataDir, pid)) process.kill(pid, `SIG${signal}`);
}

function openLog({ dataDir, account }: Cluster): { fd: number; text(): string } {
  const path = join(dataDir, 'server.log');
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const kept = size > LOG_LIMIT_BYTES ? 0 : size;
  const fd = openSync(path, kept === 0 ? 'w' : 'a', 0o600);
  if (account) fchownSync(fd, account.uid, account.gid);
  return { fd, text: () => readFileSync(path).subarray(kept).toString('utf8') };
}

function explainExit(dataDir: string, log: string, ended: string): LaunchOutcome {
  if (/could not bind|could not create any TCP\/IP sockets/.test(log)) return { kind: 'port-taken' };
  if (/lock file "postmaster\.pid" already exists/.test(log)) return { kind: 'already-running' };
  if (/pre-existing shared memory block/.test(log)) return { kind: 'not-released' };
  throw new EmbeddedPostgresError(
    `the built-in PostgreSQL in ${dataDir} does not start: ${causeIn(log) || ended}; ` +
      'set DATABASE_URL to use another server',
  );
}
