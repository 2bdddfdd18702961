import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { runMigrationCommand } from '../../src/database/index.js';
import { withClient } from './postgres.js';

/** A database with row-level security, and a role it applies to: the owner of the tables, but not a superuser. */
export interface GuardedDatabase {
  /** Connects as that role. */
  readonly url: string;
  /** Returns the tables to their owner and drops the role. */
  stop(): Promise<void>;
}

/** @param databaseUrl a database of this run, with a role that may create others */
export async function guard(databaseUrl: string): Promise<GuardedDatabase> {
  const [name, password] = [`gatehouse_bench_${randomBytes(4).toString('hex')}`, randomBytes(16).toString('hex')];
  const role = pg.escapeIdentifier(name);
  await withClient(databaseUrl, async (client) => {
    await client.query(`CREATE ROLE ${role} LOGIN PASSWORD ${pg.escapeLiteral(password)}`);
    await client.query(`GRANT ALL ON SCHEMA public TO ${role}`);
    const { rows } = await client.query<{ name: string }>(
      "SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    );
    for (const table of rows) await client.query(`ALTER TABLE ${table.name} OWNER TO ${role}`);
  });
  const url = new URL(databaseUrl);
  [url.username, url.password] = [name, password];
  await runMigrationCommand('run', { url: url.href, rowSecurity: true });
  return {
    url: url.href,
    stop: () =>
      withClient(databaseUrl, async (client) => {
        await client.query(`REASSIGN OWNED BY ${role} TO CURRENT_USER`);
        await client.query(`DROP OWNED BY ${role}`);
        await client.query(`DROP ROLE ${role}`);
      }),
  };
}
