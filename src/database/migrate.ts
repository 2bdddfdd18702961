import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { AbstractLogger, DataSource, type QueryRunner } from 'typeorm';
import { dataSourceOptions, START_WAIT_MS } from './data-source.js';
import { isLockTimeout } from './database-errors.js';
import { MIGRATIONS } from './migrations.js';
import { poolOf } from './pooled-driver.js';
import { MEET_EVERY_TENANT } from './row-security/named-tenant.js';
import { refuseSharedSessions } from './shared-sessions.js';
import { refuseLackingEncodings } from './text-encoding.js';

/** The advisory lock key shared by all instances: its holder migrates. */
const LOCK = "hashtext('app-migrations')";
const LOCK_WAIT_MS = 120_000;
/** How long a migration waits for a table at a time. Requests queue behind it, and have 2 s for a connection. */
const TABLE_WAIT_MS = 1_000;
const TABLE_PAUSE_MS = 1_000;

const log = new Logger('Database');

/** Says in the log of the service which migration failed, once in a row; TypeORM would print it on its own. */
class MigrationLog extends AbstractLogger {
  private last = '';

  override logMigration(message: string): void {
    if (message !== this.last) log.warn(message);
    this.last = message;
  }

  protected writeLog(): void {}
}

/** Names of the migrations not yet applied to the database. */
export async function pendingMigrations(source: DataSource): Promise<string[]> {
  const [table] = await source.query<{ found: string | null }[]>("SELECT to_regclass('migrations')::text AS found");
  const applied = table?.found ? await source.query<{ name: string }[]>('SELECT name FROM migrations') : [];
  const seen = new Set(applied.map(({ name }) => name));
  return MIGRATIONS.map(({ name }) => name).filter((name) => !seen.has(name));
}

/**
 * Brings the schema up to date. Any number of instances may call this at once: one migrates under an advisory lock on
 * its own connection, while the others wait up to two minutes and then find nothing left to do.
 *
 * @throws EncodingError for a new database that cannot hold every text
 * @throws SharedSessionsError behind a pooler with which no connection can hold that lock
 */
export async function applyMigrations(source: DataSource): Promise<void> {
  await refuseSharedSessions(poolOf(source));
  const pending = await pendingMigrations(source);
  if (pending.length === 0) return;
  // One that is in use already goes on: an upgrade must not end it, and the doctor names it.
  if (pending.length === MIGRATIONS.length) await refuseLackingEncodings(poolOf(source));
  // The statement timeout is meant for requests; filling or indexing a large table may take longer.
  const { url = '' } = source.options as { url?: string };
  const timeouts = { wait: START_WAIT_MS, statementTimeout: 0, lockTimeout: TABLE_WAIT_MS };
  const options = dataSourceOptions({ url, pool: 2, ...timeouts });
  const own = await new DataSource({ ...options, logger: new MigrationLog() }).initialize();
  // Migrations fill in rows of every tenant.
  poolOf(own).on('acquire', (client) => {
    client.query(MEET_EVERY_TENANT).catch(() => undefined);
  });
  try {
    await applyUnderLock(own, () => runPatiently(own));
  } finally {
    await own.destroy();
  }
}

/** A backup or a long query may hold a table: the migration that needs it is then tried again, for two minutes. */
async function runPatiently(own: DataSource): Promise<void> {
  const deadline = Date.now() + LOCK_WAIT_MS; // eslint-disable-line no-restricted-properties -- a bound on waiting, not a decision about data
  for (;;) {
    try {
      await own.runMigrations({ transaction: 'each' });
      return;
    } catch (error) {
      // eslint-disable-next-line no-restricted-properties -- see above
      if (!isLockTimeout(error) || Date.now() > deadline) throw error;
      await sleep(TABLE_PAUSE_MS);
    }
  }
}

/** Runs work on the schema while no other instance does. */
export async function applyUnderLock<T>(source: DataSource, work: (holder: QueryRunner) => Promise<T>): Promise<T> {
  const holder = source.createQueryRunner();
  await holder.connect();
  try {
    const deadline = Date.now() + LOCK_WAIT_MS; // eslint-disable-line no-restricted-properties -- a bound on waiting, not a decision about data
    for (;;) {
      const [lock] = (await holder.query(`SELECT pg_try_advisory_lock(${LOCK}) AS held`)) as { held: boolean }[];
      if (lock?.held) break;
      // eslint-disable-next-line no-restricted-properties -- see above
      if (Date.now() > deadline) throw new Error('Another instance has been migrating for two minutes; giving up.');
      await sleep(100);
    }
    return await work(holder);
  } finally {
    await holder.query(`SELECT pg_advisory_unlock(${LOCK})`).catch(() => undefined);
    await holder.release();
  }
}

/** Migrates the database at `url` and closes every connection. */
export async function migrate(url: string): Promise<void> {
  const source = new DataSource(dataSourceOptions({ url, pool: 3 }));
  await source.initialize();
  try {
    await applyMigrations(source);
  } finally {
    await source.destroy();
  }
}
