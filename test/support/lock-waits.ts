import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { withClient } from './postgres.js';

const EVERY_MS = 2;

export interface LockWaits<T> {
  result: T;
  /** The longest observed wait of a session for a lock. */
  longestMs: number;
  /** Number of observations. */
  samples: number;
}

/** Samples lock waits every few milliseconds while `work` runs. */
export function watchLockWaits<T>(databaseUrl: string, work: () => Promise<T>): Promise<LockWaits<T>> {
  return withClient(databaseUrl, async (client) => {
    let working = true;
    let [longestMs, samples] = [0, 0];
    const watched = (async () => {
      while (working) {
        const { rows } = await client.query<{ ms: number }>(
          `SELECT COALESCE(max(extract(epoch FROM clock_timestamp() - l.waitstart) * 1000), 0)::float8 AS ms
           FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid AND a.datname = current_database()
           WHERE NOT l.granted`,
        );
        longestMs = Math.max(longestMs, rows[0]?.ms ?? 0);
        samples++;
        await sleep(EVERY_MS);
      }
    })();
    try {
      const result = await work();
      return { result, longestMs, samples };
    } finally {
      working = false;
      await watched;
    }
  });
}

/** The number of sessions of this database that wait for a lock on a row or another transaction. */
export const sessionsWaiting = (databaseUrl: string): Promise<number> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ waiting: number }>(
      `SELECT count(DISTINCT l.pid)::int AS waiting FROM pg_locks l
       JOIN pg_stat_activity a ON a.pid = l.pid AND a.datname = current_database() WHERE NOT l.granted`,
    );
    return rows[0]!.waiting;
  });

/**
 * The number of sessions waiting for a lock held by this client, with a statement that contains `text`. Checking
 * pg_locks for a table is not enough: databases copied from one template have the same table ids.
 */
export const waitingForMe = async (client: Client, text: string): Promise<number> => {
  // Within a transaction, later reads of the statistics would repeat the first snapshot.
  await client.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM pg_stat_activity
     WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid)) AND strpos(query, $1) > 0`,
    [text],
  );
  return rows[0]!.waiting;
};
