import type { Pool, PoolClient } from 'pg';

/** Poolers hand out the session used last, or each in turn: of five rounds, one at least shows it. */
const ROUNDS = 5;

/** DATABASE_URL leads to a pooler with which a connection has another session in each transaction. */
export class SharedSessionsError extends Error {
  override readonly name = 'SharedSessionsError';

  readonly meaning: string;
  readonly fix: string;

  constructor() {
    const meaning =
      'DATABASE_URL leads through a pooler that gives each transaction another session, which loses prepared statements and locks';
    const fix = 'use its session mode (pool_mode = session in PgBouncer), or connect directly';
    super(`${meaning}: ${fix}.`);
    this.meaning = meaning;
    this.fix = fix;
  }
}

/**
 * Ends a start that would seem to succeed: whether a statement finds what an earlier one prepared depends on what others
 * do at the same time, so single calls would fail.
 *
 * @throws SharedSessionsError
 */
export async function refuseSharedSessions(pool: Pool): Promise<void> {
  const one = await pool.connect();
  try {
    const own = await sessionOf(one);
    // PostgreSQL announces this number to whoever connects; a pooler announces one of its own.
    if (own === announcedTo(one) || pool.options.max < 2) return;
    await compare(pool, one, own);
  } finally {
    one.release();
  }
}

async function compare(pool: Pool, one: PoolClient, own: number): Promise<void> {
  const other = await pool.connect();
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await other.query('BEGIN');
      // If it took over the session, nothing is asked of the first connection, which might have to wait for one.
      if ((await sessionOf(other)) === own || (await sessionOf(one)) !== own) throw new SharedSessionsError();
      await other.query('COMMIT');
    }
  } finally {
    other.release(true);
  }
}

/** The process of the server that serves the connection. Not prepared, which is what may fail. */
async function sessionOf(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid;
}

const announcedTo = (client: PoolClient): number | null => (client as { processID?: number | null }).processID ?? null;
