import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { withClient } from '../../bench/stack/postgres.js';
import { SUPERUSER, initialiseCluster, type Cluster } from '../../src/database/embedded/cluster.js';
import { freePort } from '../../test/support/ports.js';
import { locateNative, prepareNative } from '../../src/database/embedded/native-binaries.js';
import { findPostmaster } from '../../src/database/embedded/postmaster-file.js';
import { launchPostmaster, stopPostmaster } from '../../src/database/embedded/postmaster.js';
import { resolveServerAccount } from '../../src/database/embedded/server-account.js';

/** As in production: acknowledged commits are on disk. */
const SETTINGS = {
  ...{ fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' },
  ...{ max_connections: '200', shared_buffers: '128MB', max_wal_size: '2GB' },
};
/** Where root keeps binaries that the server account can read. */
const ROOT_CACHE = '/var/cache/gatehouse';
const RELEASE_MS = 200;
const LAUNCHES = 50;

/** A PostgreSQL of this run alone, on a port that it keeps across restarts. */
export class ChaosPostgres {
  private constructor(
    private readonly folder: string,
    private readonly cluster: Cluster,
    private readonly password: string,
    readonly port: number,
    private pid: number,
  ) {}

  static async start(): Promise<ChaosPostgres> {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-chaos-pg-'));
    try {
      const dataDir = join(folder, 'postgres');
      const password = randomBytes(16).toString('hex');
      const account = await resolveServerAccount(dataDir);
      const copies = account ? ROOT_CACHE : join(folder, 'binaries');
      if (!account) await mkdir(copies);
      const cluster = { dataDir, account, native: prepareNative(locateNative(), account, copies) };
      await initialiseCluster(cluster, password);
      const port = await freePort();
      return new ChaosPostgres(folder, cluster, password, port, await launch(cluster, port));
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** @param port of a proxy in front of the server */
  url(database: string, port = this.port): string {
    return `postgres://${SUPERUSER}:${this.password}@127.0.0.1:${port}/${database}`;
  }

  get secret(): string {
    return this.password;
  }

  async version(): Promise<string> {
    return this.ask(async (client) => {
      const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
      return rows[0]?.server_version ?? '';
    });
  }

  async createDatabase(name: string, template?: string): Promise<void> {
    const source = template === undefined ? '' : ` TEMPLATE ${pg.escapeIdentifier(template)}`;
    await this.ask((client) => client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}${source}`));
  }

  async dropDatabase(name: string): Promise<void> {
    await this.ask((client) => client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`));
  }

  /** Runs as the administrator, outside of the databases under test. */
  ask<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    return withClient(this.url('postgres'), work);
  }

  /** Does what `pg_ctl stop -m immediate` does: every server process ends at once, and the next start recovers. */
  async crash(): Promise<void> {
    process.kill(this.pid, 'SIGQUIT');
    while (findPostmaster(this.cluster.dataDir)?.pid === this.pid && isAlive(this.pid)) await delay(5);
  }

  /** On the same port; resolves when the server accepts connections. */
  async restart(): Promise<void> {
    this.pid = await launch(this.cluster, this.port);
  }

  async stop(): Promise<void> {
    await stopPostmaster(this.cluster, this.pid);
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function launch(cluster: Cluster, port: number): Promise<number> {
  for (let round = 0; round < LAUNCHES; round += 1) {
    const outcome = await launchPostmaster(cluster, port, SETTINGS);
    if (outcome.kind === 'ready') return outcome.pid;
    await delay(RELEASE_MS);
  }
  throw new Error(`PostgreSQL does not start on port ${port}.`);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
