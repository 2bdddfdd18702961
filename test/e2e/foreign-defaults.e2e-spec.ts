import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Database, deploymentStatement } from '../../src/database/index.js';
import { migrate } from '../../src/database/migrate.js';
import { DatabaseProbe } from '../../src/doctor/database-probe.repository.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { createEmptyDatabase, withClient, type TestDatabase } from '../support/postgres.js';
import { StrictPooler } from '../support/strict-pooler.js';
import { newEmail, World } from '../support/world.js';

/** What administrators set for all databases of a server, each far from what PostgreSQL comes with. */
const DEFAULTS = {
  datestyle: 'German',
  timezone: 'America/St_Johns',
  intervalstyle: 'sql_standard',
  bytea_output: 'escape',
  extra_float_digits: '-10',
  client_encoding: 'LATIN1',
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  transform_null_equals: 'on',
  default_transaction_isolation: 'serializable',
  // Shorter than the migrations of an empty database, of which the first one alone takes 20 ms.
  statement_timeout: '5ms',
  lock_timeout: '5ms',
  idle_session_timeout: '60ms',
};

const SEEN = deploymentStatement(
  'test.seenDefaults',
  `SELECT name, setting FROM pg_settings WHERE name IN ('DateStyle', 'TimeZone', 'default_transaction_isolation',
     'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'client_encoding')`,
);
const VALUES = deploymentStatement(
  'test.values',
  String.raw`SELECT '2026-11-30T12:00:00Z'::timestamptz AS at, '\x00ff'::bytea AS bytes, pi() AS pi, 'Zoë €' AS name`,
);

describe('a database whose defaults are not those of PostgreSQL, behind a pooler that is strict', () => {
  let empty: TestDatabase;
  let pooler: StrictPooler;
  let url: string;
  let test: TestApp;

  beforeAll(async () => {
    empty = await createEmptyDatabase();
    await withClient(empty.url, async (client) => {
      const name = pg.escapeIdentifier(new URL(empty.url).pathname.slice(1));
      for (const [setting, value] of Object.entries(DEFAULTS)) {
        await client.query(`ALTER DATABASE ${name} SET ${setting} = ${pg.escapeLiteral(value)}`);
      }
    });
    const address = new URL(empty.url);
    pooler = await StrictPooler.start(Number(address.port));
    address.port = String(pooler.port);
    url = address.href;
    await migrate(url);
    test = await startTestApp({ databaseUrl: url, env: { DATABASE_ROW_SECURITY: 'off', DATABASE_WAIT_MS: '8000' } });
  });
  afterAll(async () => {
    await test?.close();
    await pooler?.stop();
    await empty?.drop();
  });

  it.each(['rows', 'rowsAtOnce'] as const)('gives what the service expects (%s)', async (read) => {
    const database = test.app.get(Database);
    // While all are taken, the latter opens one of its own.
    const { total, idle } = database.load;
    const most = read === 'rows' ? 0 : database.bounds.most - (total - idle);
    const taken = await Promise.all(Array.from({ length: most }, () => database.connect()));
    try {
      const seen = await database[read]<{ name: string; setting: string }>(SEEN, []);
      expect(Object.fromEntries(seen.map(({ name, setting }) => [name, setting]))).toEqual({
        DateStyle: 'ISO, MDY',
        TimeZone: 'UTC',
        client_encoding: 'UTF8',
        default_transaction_isolation: 'read committed',
        statement_timeout: '20000',
        lock_timeout: '12000',
        idle_in_transaction_session_timeout: '40000',
      });
      const [values] = await database[read](VALUES, []);
      const at = new Date('2026-11-30T12:00:00Z');
      expect(values).toEqual({ at, bytes: Buffer.from([0, 255]), pi: Math.PI, name: 'Zoë €' });
    } finally {
      for (const client of taken) client.release();
    }
  });

  it('keeps users, sessions and times as any other', async () => {
    const world = await World.create(test);
    const from = Date.now() - 1_000;
    const email = newEmail();
    const { body } = await world.signIn(email);
    const answer = await world.api.get(`/environments/${world.environmentId}/users`);
    expect(answer.status).toBe(200);
    const users = (answer.body as { users: { id: string; createdAt: string }[] }).users;
    const created = Date.parse(users.find(({ id }) => id === body.user.id)!.createdAt);
    expect(created).toBeGreaterThan(from);
    expect(created).toBeLessThan(Date.now() + 1_000);
  });

  it('is read by the doctor', async () => {
    const probe = await DatabaseProbe.open(url);
    try {
      expect(Math.abs((await probe.now()).getTime() - Date.now())).toBeLessThan(1_000);
      expect(await probe.pendingMigrations()).toEqual([]);
    } finally {
      await probe.close();
    }
  });
});
