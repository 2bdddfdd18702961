import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from './data-source.js';
import { MIGRATIONS } from './migrations.js';
import { poolOf } from './pooled-driver.js';
import { MEET_EVERY_TENANT } from './row-security/named-tenant.js';

/** The advisory lock key shared by all instances: its holder migrates. */
const LOCK = "hashtext('app-migrations')";
const LOCK_WAIT_MS = 120_000;

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
 */
export async function applyMigrations(source: DataSource): Promise<void> {
  if ((await pendingMigrations(source)).length === 0) return;
  // The statement timeout is meant for requests; filling or indexing a large table may take longer. The lock timeout
  // still applies, so that no request queues behind a waiting migration.
  const { url = '' } = source.options as { url?: string };
  const own = await new DataSource(dataSourceOptions({ url, pool: 2, statementTimeout: 0 })).initialize();
  // Migrations fill in rows of every tenant.
  poolOf(own).on('acquire', (client) => {
    client.query(MEET_EVERY_TENANT).catch(() => undefined);
  });
  try {
    await applyUnderLock(own, () => own.runMigrations({ transaction: 'each' }));
  } finally {
    await own.destroy();
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
