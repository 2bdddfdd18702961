import type { Pool, PoolClient } from 'pg';

/** Whoever holds a connection for so many milliseconds may have met a plan that no longer fits. */
const LONG_MS = 25;
/** The plans of a connection are thrown away at most this often, in milliseconds: making them anew costs a few of one. */
const RENEW_MS = 5_000;

/**
 * PostgreSQL plans a prepared statement once for each connection, and again only when statistics change. Planned while a
 * table holds a handful of rows, a statement reads all of it; a minute may pass until statistics know of the hundred
 * thousand rows that came since, and each call reads them all. So a connection that somebody had to hold for long
 * forgets its plans when it comes back. The answer is not waited for: whatever is sent next is planned by the tables as
 * they are then.
 *
 * @param pauseMs within which a connection forgets no second time
 */
export function renewPlans(pool: Pool, pauseMs = RENEW_MS): void {
  const since = new WeakMap<PoolClient, number>();
  const renewed = new WeakMap<PoolClient, number>();
  pool.on('acquire', (client) => since.set(client, performance.now()));
  pool.on('release', (error, client) => {
    const now = performance.now();
    const isShort = now - (since.get(client) ?? now) < LONG_MS;
    if (error || isShort || now - (renewed.get(client) ?? -Infinity) < pauseMs) return;
    renewed.set(client, now);
    // A connection that cannot do this fails its next statement too, where somebody waits for the answer.
    client.query('DISCARD PLANS').catch(() => undefined);
  });
}
