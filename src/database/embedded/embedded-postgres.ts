import { mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SUPERUSER, initialiseCluster, isInitialised } from './cluster.js';
import type { Cluster } from './cluster.js';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';
import { findFreePort } from './free-port.js';
import { locateNative, prepareNative } from './native-binaries.js';
import { findLastPort, findPostmaster } from './postmaster-file.js';
import { launchPostmaster, stopPostmaster } from './postmaster.js';
import { resolveServerAccount } from './server-account.js';
import { ServerLease } from './server-lease.js';

const DATABASE = 'gatehouse';
/** Where root keeps binaries that the server account cannot read in place; only root may write below /var/cache. */
const ROOT_CACHE = '/var/cache/gatehouse';
const JOIN_LIMIT_MS = 15_000;
const JOIN_POLL_MS = 50;
const LAUNCH_ATTEMPTS = 10;
const RELEASE_WAIT_MS = 300;

export interface EmbeddedPostgresOptions {
  /** Data directory; created, with its parents, on the first start. */
  readonly dataDir: string;
  /** Password of the database user, set on the first start; later starts need the same one. */
  readonly password: string;
  /** PostgreSQL settings that replace the built-in ones for a server that this call starts. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Receives one line per notable step. */
  readonly log?: (line: string) => void;
}

export interface EmbeddedPostgres {
  /** Connection string of the database `gatehouse`, password included. */
  readonly url: string;
  readonly port: number;
  /** Process id of the server. */
  readonly pid: number;
  /** Stops the server, unless another process that called `startEmbeddedPostgres` is still using it. */
  stop(): Promise<void>;
}

/**
 * Runs a real PostgreSQL on 127.0.0.1, with its data in `dataDir` and on its previous port if that is free. A server
 * already running on that folder, left by a killed process or shared with a live one, is reused.
 *
 * @throws EmbeddedPostgresError with one line that names the remedy.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined);
  const dataDir = resolve(options.dataDir);
  const cluster = await prepareCluster(dataDir, options.password, log).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined) throw error;
    throw new EmbeddedPostgresError(
      `${dataDir} cannot hold a database (${error.message}); set DATA_DIR to an empty folder of your own or set DATABASE_URL`,
      { cause: error },
    );
  });
  const { pid, port, lease } = await obtainServer(cluster, options, log);
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> =>
    (stopping ??= lease.release().then((last) => (last ? stopPostmaster(cluster, pid) : undefined)));
  try {
    await lease.ensureDatabase(DATABASE);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `postgres://${SUPERUSER}:${encodeURIComponent(options.password)}@127.0.0.1:${port}/${DATABASE}`,
    port,
    pid,
    stop,
  };
}

async function prepareCluster(dataDir: string, password: string, log: (line: string) => void): Promise<Cluster> {
  const parent = dirname(dataDir);
  const native = locateNative();
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const account = await resolveServerAccount(dataDir);
  const copies = account ? ROOT_CACHE : join(parent, 'postgres-binaries');
  const cluster = { dataDir, account, native: prepareNative(native, account, copies) };
  if (!isInitialised(dataDir)) {
    log(`creating a PostgreSQL cluster in ${dataDir}`);
    await initialiseCluster(cluster, password);
  }
  return cluster;
}

interface Server {
  readonly pid: number;
  readonly port: number;
  readonly lease: ServerLease;
}

/** A server may appear or disappear between any two checks of the folder; each round starts from the current state. */
async function obtainServer(
  cluster: Cluster,
  options: EmbeddedPostgresOptions,
  log: (line: string) => void,
): Promise<Server> {
  let port = await findFreePort(findLastPort(cluster.dataDir));
  for (let attempt = 0; attempt < LAUNCH_ATTEMPTS; attempt += 1) {
    const joined = await joinServer(cluster.dataDir, options.password);
    if (joined) {
      log(`using the PostgreSQL that is already running in ${cluster.dataDir} (process ${joined.pid})`);
      return joined;
    }
    const outcome = await launchPostmaster(cluster, port, options.settings ?? {});
    if (outcome.kind === 'port-taken') port = await findFreePort();
    if (outcome.kind === 'not-released') await delay(RELEASE_WAIT_MS);
    if (outcome.kind !== 'ready') continue;
    const started = await joinServer(cluster.dataDir, options.password).catch(async (error: unknown) => {
      await stopPostmaster(cluster, outcome.pid);
      throw error;
    });
    if (started) {
      log(`PostgreSQL is listening on 127.0.0.1:${port}`);
      return started;
    }
  }
  throw new EmbeddedPostgresError(`PostgreSQL in ${cluster.dataDir} does not stay up; see its server.log`);
}

/** Null when no server is running, or it has just stopped. */
async function joinServer(dataDir: string, password: string): Promise<Server | null> {
  let reason: unknown;
  for (let waitedMs = 0; waitedMs < JOIN_LIMIT_MS; waitedMs += JOIN_POLL_MS) {
    const running = findPostmaster(dataDir);
    if (!running) return null;
    if (running.ready) {
      try {
        const lease = await ServerLease.open(running.port, password, dataDir);
        return { pid: running.pid, port: running.port, lease };
      } catch (error) {
        if (error instanceof EmbeddedPostgresError) throw error;
        reason = error;
      }
    }
    await delay(JOIN_POLL_MS);
  }
  throw new EmbeddedPostgresError(
    `PostgreSQL (process ${findPostmaster(dataDir)?.pid}) holds ${dataDir} but does not answer; end it, then start again`,
    { cause: reason },
  );
}
