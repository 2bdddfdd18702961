import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startTestApp, type TestApp } from '../support/app.js';
import { fillRows, rowsOf } from '../support/rows.js';
import { World } from '../support/world.js';

const USER = 'INSERT INTO users (environment_id, id) VALUES ($1, gen_random_uuid()) RETURNING id';
const VISITOR = `INSERT INTO visitors (environment_id, id, address, chain, provider, wallet_name)
  VALUES ($1, gen_random_uuid(), gen_random_uuid()::text, 'EVM', 'browserExtension', 'a wallet')`;
const COME = 'UPDATE users SET last_visit = now() WHERE environment_id = $1 AND id = $2';
const SIGN_IN = `INSERT INTO sessions (environment_id, id, user_id, amr, token_id, token_issued_at, token_expires_at, expires_at)
  VALUES ($1, gen_random_uuid(), $2, '{otp}', gen_random_uuid(), now(), now(), now())`;

/** Slots of a counter, each with nothing in it; up to 63 they are all that a connection could have by its number. */
const slots = (table: string, columns: string, values: string, last: number): string =>
  `INSERT INTO ${table} (${columns}, slot) SELECT ${values}, slot FROM generate_series(0, ${last}) AS slot ON CONFLICT DO NOTHING`;

interface Counter {
  table: string;
  sum: string;
  plant: (last: number) => string;
  whose: string;
  /** What adds one: a row of the environment, or what somebody does who is there already, which nothing else counts. */
  adds: { sql: string; ofSomebody: boolean };
}

const WALLET = `INSERT INTO wallets (environment_id, id, user_id, kind, name, chain, address, provider)
  VALUES ($1, gen_random_uuid(), $2, 'external', 'a wallet', 'EVM', gen_random_uuid()::text, 'browserExtension')`;

type Add = (on: pg.Client) => Promise<unknown>;

const TODAY = "(now() AT TIME ZONE 'UTC')::date";
const MONTH = "date_trunc('month', now() AT TIME ZONE 'UTC')::date";
const OWNER = '(SELECT organization_id FROM environments WHERE id = $1::uuid)';

const COUNTERS: Counter[] = [
  {
    table: 'user_counts',
    sum: 'users',
    plant: (last) => slots('user_counts', 'environment_id, users', '$1::uuid, 0', last),
    whose: 'environment_id = $1',
    adds: { sql: USER, ofSomebody: false },
  },
  {
    table: 'visitor_counts',
    sum: 'visitors',
    plant: (last) => slots('visitor_counts', 'environment_id, chain, visitors', "$1::uuid, 'EVM', 0", last),
    whose: "environment_id = $1 AND chain = 'EVM'",
    adds: { sql: VISITOR, ofSomebody: false },
  },
  {
    table: 'wallet_counts',
    sum: 'wallets',
    plant: (last) => slots('wallet_counts', 'environment_id, wallets', '$1::uuid, 0', last),
    whose: 'environment_id = $1',
    adds: { sql: WALLET, ofSomebody: true },
  },
  {
    table: 'visit_days',
    sum: 'people',
    plant: (last) => slots('visit_days', 'environment_id, kind, day, people', `$1::uuid, 'user', ${TODAY}, 0`, last),
    whose: `environment_id = $1 AND kind = 'user' AND day = ${TODAY}`,
    adds: { sql: COME, ofSomebody: true },
  },
  {
    table: 'billing_usage',
    sum: 'users',
    plant: (last) => slots('billing_usage', 'organization_id, month, users', `${OWNER}, ${MONTH}, 0`, last),
    whose: `organization_id = ${OWNER} AND month = ${MONTH}`,
    adds: { sql: SIGN_IN, ofSomebody: true },
  },
];

describe('what triggers count', () => {
  let test: TestApp;
  let clients: pg.Client[];
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: test.databaseUrl });
    clients.push(client);
    await client.connect();
    await client.query("SET lock_timeout = '2s'; SET deadlock_timeout = '200ms'");
    return client;
  };
  /** Two connections whose numbers leave the same rest, by which slots were once chosen. */
  const connectAlike = async (): Promise<[pg.Client, pg.Client]> => {
    const restOf = async (client: pg.Client): Promise<number> =>
      (await client.query<{ rest: number }>('SELECT pg_backend_pid() % 64 AS rest')).rows[0]!.rest;
    const first = await connect();
    const rest = await restOf(first);
    for (;;) {
      const second = await connect();
      if ((await restOf(second)) === rest) return [first, second];
      clients.pop();
      await second.end();
    }
  };
  /** Says later what is counted, so that whoever is needed for it is counted before. */
  const addition = async ({ adds }: Counter, environmentId: string): Promise<Add> => {
    const [somebody] = adds.ofSomebody ? await rowsOf<{ id: string }>(test, USER, [environmentId]) : [];
    return (on) => on.query(adds.sql, somebody ? [environmentId, somebody.id] : [environmentId]);
  };
  const sumOf = async ({ table, sum, whose }: Counter, environmentId: string): Promise<number> => {
    const sql = `SELECT coalesce(sum(${sum}), 0)::int AS sum FROM ${table} WHERE ${whose}`;
    return (await rowsOf<{ sum: number }>(test, sql, [environmentId]))[0]!.sum;
  };

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
  });
  beforeEach(() => {
    clients = [];
  });
  afterAll(() => test.close());

  it.each(COUNTERS)('in $table is counted once, even if statistics say that the table has one row', async (counter) => {
    const { environmentId } = await World.create(test);
    await rowsOf(test, counter.plant(3), [environmentId]);
    const before = await sumOf(counter, environmentId);
    const add = await addition(counter, environmentId);
    // As the statistics say of a small service, which were made before two people came at once.
    await fillRows(test, `UPDATE pg_class SET reltuples = 1, relpages = 1 WHERE oid = '${counter.table}'::regclass`);
    try {
      await add(await connect());
      expect(await sumOf(counter, environmentId)).toBe(before + 1);
    } finally {
      await Promise.all(clients.map((client) => client.end()));
    }
  });

  it.each(COUNTERS)(
    'in $table never waits for other transactions that are counting, whatever slots they hold',
    async (counter) => {
      const { environmentId } = await World.create(test);
      await rowsOf(test, counter.plant(63), [environmentId]);
      const before = await sumOf(counter, environmentId);
      const add = await addition(counter, environmentId);
      try {
        const holder = await connect();
        await holder.query('BEGIN');
        await holder.query(`SELECT FROM ${counter.table} WHERE ${counter.whose} FOR UPDATE`, [environmentId]);
        await add(await connect());
        expect(await sumOf(counter, environmentId)).toBe(before + 1);
      } finally {
        await Promise.all(clients.map((client) => client.end()));
      }
    },
  );

  it.each(COUNTERS)(
    'in $table cannot deadlock when two transactions count for two tenants in opposite order',
    async (counter) => {
      const { environmentId: one } = await World.create(test);
      const { environmentId: other } = await World.create(test);
      const before = [await sumOf(counter, one), await sumOf(counter, other)];
      const additions = await Promise.all([one, one, other, other].map((id) => addition(counter, id)));
      const [first, fourth, second, third] = additions as [Add, Add, Add, Add];
      try {
        const pair = await connectAlike();
        for (const client of pair) await client.query('BEGIN');
        await first(pair[0]);
        await second(pair[1]);
        await Promise.all([third(pair[0]), fourth(pair[1])]);
        for (const client of pair) await client.query('COMMIT');
        expect([await sumOf(counter, one), await sumOf(counter, other)]).toEqual(before.map((sum) => sum + 2));
      } finally {
        await Promise.all(clients.map((client) => client.end()));
      }
    },
  );
});
