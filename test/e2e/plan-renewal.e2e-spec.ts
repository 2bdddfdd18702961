import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { renewPlans } from '../../src/database/plan-renewal.js';
import { createEmptyDatabase, type TestDatabase } from '../support/postgres.js';

const LOOK_UP = { name: 'look_up', text: 'SELECT id FROM items WHERE id = $1' };
const ROWS = 100_000;

describe('a statement that was planned while its table was small', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createEmptyDatabase();
  });

  afterAll(() => database.drop());

  /** @returns the plan of the statement after the table has grown and its only connection was held for `ms` */
  async function planAfter(ms: number, renew: boolean): Promise<string> {
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    // However long the statements before are held up, the connection forgets after the last one as well.
    if (renew) renewPlans(pool, 0);
    try {
      await pool.query('DROP TABLE IF EXISTS items');
      await pool.query('CREATE TABLE items (id int PRIMARY KEY) WITH (autovacuum_enabled = false)');
      await pool.query('INSERT INTO items VALUES (1)');
      await pool.query('ANALYZE items');
      await pool.query('SET plan_cache_mode = force_generic_plan');
      await pool.query({ ...LOOK_UP, values: [1] });
      // Rows of another connection, so that the one with the plan knows nothing of them.
      const other = new pg.Client(database.url);
      await other.connect();
      await other.query('INSERT INTO items SELECT generate_series(2, $1::int)', [ROWS]);
      await other.end();
      await pool.query('SELECT pg_sleep($1)', [ms / 1000]);
      const { rows } = await pool.query<Record<string, string>>(`EXPLAIN EXECUTE ${LOOK_UP.name}(1)`);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    } finally {
      await pool.end();
    }
  }

  it('reads all of it when nobody makes the connection forget', async () => {
    expect(await planAfter(40, false)).toContain('Seq Scan on items');
  });

  it('is planned anew by a connection that somebody held for long', async () => {
    expect(await planAfter(40, true)).toContain('using items_pkey');
  });

  it('does not fail anybody when the connection ends meanwhile', async () => {
    const pool = new pg.Pool({ connectionString: database.url, max: 1 });
    pool.on('error', () => undefined);
    renewPlans(pool);
    const client = await pool.connect();
    client.on('error', () => undefined);
    const ended = new Promise((resolve) => client.once('end', resolve));
    await client.query('SELECT pg_sleep(0.04), pg_terminate_backend(pg_backend_pid())').catch(() => undefined);
    client.release();
    await ended;
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });
});
