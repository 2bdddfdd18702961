import pg from 'pg';
import { START_WAIT_MS } from './data-source.js';
import { NO_LIMITS, prepareSession } from './session.js';
import { deploymentStatement } from './statement.js';

const LOCK = deploymentStatement('database.lock', 'SELECT pg_advisory_lock(hashtext($1))');

/**
 * Runs work on one instance at a time, whatever transactions it uses. The lock is on its own connection, because it
 * outlasts them, and ends with the process.
 *
 * @param what names the work that must not run concurrently
 */
export async function whileAlone<T>(connectionString: string, what: string, run: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, application_name: what });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await prepareSession(client, NO_LIMITS, START_WAIT_MS);
    await client.query(LOCK.text, [what]);
    return await run();
  } finally {
    await client.end();
  }
}
