import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { databaseUrl, withClient } from './postgres.js';
import type { TestServer } from './services.js';

/** The data is thrown away, so nothing waits for a disk. */
const SETTINGS = { max_connections: '300', fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

export interface TestPostgres extends TestServer {
  /** Name of the migrated database that the tests copy. */
  readonly template: string;
}

/** The server of TEST_DATABASE_URL (its user must be allowed to create databases), else one for this run alone. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const given = process.env['TEST_DATABASE_URL'];
  const server = given ? { url: given, stop: async () => undefined, kill: () => undefined } : await startTemporary();
  const template = `gatehouse_test_${randomBytes(4).toString('hex')}`;
  try {
    await createTemplate(server.url, template);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    ...server,
    template,
    stop: async () => {
      if (given) await dropAll(given, template);
      await server.stop();
    },
  };
}

async function startTemporary(): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-test-'));
  const password = randomBytes(16).toString('hex');
  const server = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), password, settings: SETTINGS });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
    kill: () => {
      process.kill(server.pid, 'SIGQUIT');
      // No asynchronous code runs any more, and the server needs a moment to release its files.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function createTemplate(url: string, template: string): Promise<void> {
  const { migrate } = (await import('../../src/database/migrate.js')) as { migrate(url: string): Promise<unknown> };
  await withClient(url, (client) => client.query(`CREATE DATABASE ${pg.escapeIdentifier(template)}`));
  await migrate(databaseUrl(url, template));
  // PostgreSQL refuses a copy while anything, even an autovacuum worker, is connected to the original.
  await withClient(url, (client) =>
    client.query(`ALTER DATABASE ${pg.escapeIdentifier(template)} ALLOW_CONNECTIONS false`),
  );
}

/** Copies are named after their template, so one prefix finds what this run created on a server that stays. */
async function dropAll(url: string, template: string): Promise<void> {
  await withClient(url, async (client) => {
    const found = await client.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [template],
    );
    for (const { datname } of found.rows) {
      await client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(datname)} WITH (FORCE)`);
    }
  });
}
