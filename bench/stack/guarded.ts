import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { runMigrationCommand } from '../../src/database/index.js';
import { withClient } from './postgres.js';

/** A database with row-level security, for a role that it counts for: the owner of the tables, and no superuser. */
export interface GuardedDatabase {
  /** As that role. */
  readonly url: string;
  /** Gives the tables back and drops the role. */
  stop(): Promise<void>;
}

/** @param databaseUrl of a role that may create others, as a database of this run */
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
