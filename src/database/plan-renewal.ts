import type { Pool, PoolClient } from 'pg';

/** A connection held for at least this long, in milliseconds, may have used an outdated plan. */
const LONG_MS = 25;
/** A connection's plans are discarded at most this often, in milliseconds: replanning costs a few milliseconds. */
const RENEW_MS = 5_000;

/**
 * PostgreSQL plans a prepared statement once per connection, and again only when statistics change. A statement planned
 * while a table has few rows does a full scan; it may take a minute until the statistics reflect a hundred thousand new
 * rows, and until then each call reads them all. So a connection that was held for long discards its plans on release.
 * Nothing waits for the response: statements sent next are planned for the tables as they are then.
 *
 * @param pauseMs the minimum interval between two renewals of a connection
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
    // If this fails, so does the connection's next statement, whose caller gets the error.
    client.query('DISCARD PLANS').catch(() => undefined);
  });
}
