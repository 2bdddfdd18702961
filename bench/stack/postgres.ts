import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';

/** As in production: commits are durable, and no checkpoint falls into a round. */
const SETTINGS = {
  ...{ fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', wal_level: 'replica' },
  ...{ max_connections: '120', shared_buffers: '1GB', maintenance_work_mem: '512MB' },
  ...{ max_wal_size: '8GB', checkpoint_timeout: '30min' },
};

export interface BenchPostgres {
  /** The server version, for the report. */
  readonly version: string;
  /** Creates an empty database, or a copy of another of this run, and returns its connection string. */
  createDatabase(purpose: string, template?: string): Promise<string>;
  /** Drops this run's databases, and removes the server with its files if this run started it. */
  stop(): Promise<void>;
}

/** The server of DATABASE_URL, on which only databases of this run are touched, or else one in a temporary folder. */
export async function startPostgres(): Promise<BenchPostgres> {
  const given = process.env['DATABASE_URL'];
  const server = given ? { url: given, stop: async () => undefined } : await startTemporary();
  const run = randomBytes(4).toString('hex');
  const made: string[] = [];
  const name = (purpose: string): string => `gatehouse_bench_${run}_${purpose}`;
  return {
    version: await withClient(server.url, async (client) => {
      const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
      return rows[0]?.server_version ?? '';
    }),
    createDatabase: async (purpose, template) => {
      const source = template === undefined ? '' : ` TEMPLATE ${pg.escapeIdentifier(name(template))}`;
      await withClient(server.url, (client) =>
        client.query(`CREATE DATABASE ${pg.escapeIdentifier(name(purpose))}${source}`),
      );
      made.push(name(purpose));
      const url = new URL(server.url);
      url.pathname = `/${name(purpose)}`;
      return url.href;
    },
    stop: async () => {
      if (given) {
        for (const database of made) {
          const drop = `DROP DATABASE IF EXISTS ${pg.escapeIdentifier(database)} WITH (FORCE)`;
          await withClient(server.url, (client) => client.query(drop));
        }
      }
      await server.stop();
    },
  };
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function startTemporary(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  const password = randomBytes(16).toString('hex');
  try {
    const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), password, settings: SETTINGS });
    return {
      url: server.url,
      stop: async () => {
        await server.stop();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
