import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Advisory lock around copies of the template: PostgreSQL refuses a copy while another session reads the original. */
const COPY_LOCK = 4_118_203;

/**
 * By default PostgreSQL plans the first five calls of a statement on each connection for their values, and only then
 * reuses one plan (`statement-plans`). Tests rarely call a statement that often: planning was a quarter of the server's
 * work.
 */
const PLAN_ONCE = 'SET plan_cache_mode = force_generic_plan';

export interface TestDatabase {
  readonly url: string;
  /** Ends all connections to the database and drops it. */
  drop(): Promise<void>;
}

/**
 * A migrated, empty database of the caller's own.
 *
 * @param plans `general` for tests that do not measure statements, see `PLAN_ONCE`
 */
export async function createDatabase(plans?: 'general'): Promise<TestDatabase> {
  return copyTemplate(`${template()}_${randomBytes(4).toString('hex')}`, plans === 'general');
}

/**
 * An empty database of the caller's own, without the schema.
 *
 * @param encoding that of the server, `SQL_ASCII`, as `initdb` chooses where there is no locale, or one that lacks
 *   characters
 */
export async function createEmptyDatabase(encoding?: 'SQL_ASCII' | 'LATIN1'): Promise<TestDatabase> {
  const server = environment('GATEHOUSE_TEST_PG');
  const name = `${template()}_empty_${randomBytes(4).toString('hex')}`;
  const other = encoding === undefined ? '' : ` ENCODING '${encoding}' LOCALE 'C'`;
  await withClient(server, (client) =>
    client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE template0${other}`),
  );
  return { url: databaseUrl(server, name), drop: () => drop(server, name) };
}

/** The database of this Jest worker: copied on first use, shared by all test files of the worker. */
export async function workerDatabase(): Promise<TestDatabase> {
  return copyTemplate(`${template()}_w${process.env['JEST_WORKER_ID'] ?? '1'}`, true);
}

/** The URL of another database on the same server. */
export function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
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

async function copyTemplate(name: string, plansOnce: boolean): Promise<TestDatabase> {
  const server = environment('GATEHOUSE_TEST_PG');
  await withClient(server, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [COPY_LOCK]);
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount) return;
    await client.query(
      `CREATE DATABASE ${pg.escapeIdentifier(name)} TEMPLATE ${pg.escapeIdentifier(template())} STRATEGY FILE_COPY`,
    );
    if (plansOnce) await client.query(`ALTER DATABASE ${pg.escapeIdentifier(name)} ${PLAN_ONCE}`);
  });
  return { url: databaseUrl(server, name), drop: () => drop(server, name) };
}

async function drop(server: string, name: string): Promise<void> {
  await withClient(server, (client) =>
    client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`),
  );
}

function template(): string {
  return environment('GATEHOUSE_TEST_TEMPLATE');
}

function environment(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is set by the global setup of the e2e project; run the test with npm test`);
  return value;
}
