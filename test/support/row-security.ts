import type { DataSource } from 'typeorm';
import { runMigrationCommand } from '../../src/database/index.js';
import { withClient } from './postgres.js';

const ROLE = 'gatehouse_guarded';
const PASSWORD = 'of-a-test';

/**
 * Whether row-level security applies to the whole run: every test application then connects as a role subject to it.
 */
export const isRunGuarded = (): boolean => process.env['GATEHOUSE_TEST_ROW_SECURITY'] === 'on';

/** The URL of a database for a role that owns its tables and is not a superuser. */
export async function asOwner(url: string): Promise<string> {
  await withClient(url, (client) =>
    client.query(`DO $$ DECLARE t text; BEGIN
      BEGIN
        CREATE ROLE ${ROLE} LOGIN PASSWORD '${PASSWORD}';
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
      END;
      PERFORM pg_advisory_xact_lock(hashtext('${ROLE}'));
      GRANT ALL ON SCHEMA public TO ${ROLE};
      FOR t IN SELECT format('%I', tablename) FROM pg_tables
        WHERE schemaname = 'public' AND tableowner <> '${ROLE}' ORDER BY 1 LOOP
        EXECUTE 'ALTER TABLE ' || t || ' OWNER TO ${ROLE}';
      END LOOP; END $$`),
  );
  const address = new URL(url);
  [address.username, address.password] = [ROLE, PASSWORD];
  return address.href;
}

/** Tests read rows of every tenant behind the API, whereas the service has to name one. */
export function lookFromOutside(source: DataSource, url: string): void {
  source.query = async <T>(sql: string, values?: unknown[]): Promise<T> =>
    withClient(url, async (client) => {
      const { command, rows, rowCount } = await client.query(sql, values);
      return (command === 'UPDATE' || command === 'DELETE' ? [rows, rowCount] : rows) as T;
    });
}

/** Creates or drops the policies of a database, as `npm run migration:run` does. @returns what it prints */
export const bringPolicies = (url: string, isOn: boolean): Promise<string> =>
  runMigrationCommand('run', { url, rowSecurity: isOn });
