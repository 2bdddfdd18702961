import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { Client } from 'pg';
import { Database } from '../../src/database/index.js';
import { CallPatience } from '../../src/idempotency/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { DONE_TABLE, EndsModule, gates, UnaskedModule } from '../support/nest/keyed-calls.js';
import { eventually } from '../support/receiver.js';
import { ANSWERS_TABLE } from '../support/suites/keyed.js';
import { RawClient, type RawAnswer } from '../support/surface/raw-client.js';
import { WriteWatch } from '../support/surface/write-watch.js';
import { World } from '../support/world.js';

const CALLS = 50;
const REPLAYED = 'idempotent-replayed';
/** Fewer than calls, so that one that is left behind is missed by the others. */
const POOL = 20;
/** So many of them hold a connection at once. */
const HELD = POOL / 2;

describe('fifty calls with an Idempotency-Key', () => {
  let test: TestApp;
  let db: Client;
  let world: World;
  let client: RawClient;

  beforeAll(async () => {
    test = await startTestApp({
      ownDatabase: true,
      extensions: [EndsModule],
      env: { ROLE: 'api', LOG_LEVEL: 'error', DATABASE_POOL: `${POOL}` },
    });
    test.app.useLogger(false);
    db = new Client(test.databaseUrl);
    await db.connect();
    await db.query(DONE_TABLE);
    world = await World.create(test);
    client = new RawClient(test.url);
  });
  afterAll(async () => {
    client.close();
    await db.end();
    await test.close();
  });

  const pathOf = (end: string, name: string): string => `/api/v0${world.path(`/ends/${end}/${name}`)}`;
  const call = (end: string, name: string, key = name): Promise<RawAnswer> =>
    client.send({
      method: 'POST',
      path: pathOf(end, name),
      token: world.token,
      headers: { 'Idempotency-Key': key },
    });
  const names = (prefix = 'n'): string[] => Array.from({ length: CALLS }, () => `${prefix}-${randomUUID()}`);
  const timesDone = async (of: readonly string[]): Promise<number> => {
    const asked = 'SELECT count(*)::int AS count FROM done WHERE split_part(name, $2, 1) = ANY ($1)';
    return (await db.query<{ count: number }>(asked, [of, ' '])).rows[0]!.count;
  };
  const load = () => test.app.get(Database, { strict: false }).load;
  const poolIsWhole = async (): Promise<void> => {
    await eventually('every connection is back', async () => {
      const { total, idle, waiting } = load();
      return total === idle && waiting === 0;
    });
    // A connection that was cut is gone from here before the server has heard of it.
    await eventually('the server has no transaction left', async () => {
      const { rowCount } = await db.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
      );
      return rowCount === 0;
    });
  };

  /** Sends calls and breaks their connections once `gate` has seen them all. */
  async function broken(end: string, gate: string, of: readonly string[]): Promise<void> {
    const calls = of.map((name) => {
      const sent = request(`${test.url}${pathOf(end, name)}`, {
        method: 'POST',
        agent: false,
        headers: { authorization: `Bearer ${world.token}`, 'Idempotency-Key': name },
      });
      sent.on('error', () => undefined);
      sent.end();
      return sent;
    });
    await eventually('they are at work', async () => gates.count(gate) === of.length);
    // What is looked at here sees a connection that is not given back.
    expect(load().idle).toBeLessThan(load().total);
    for (const sent of calls) sent.destroy();
  }

  it.each([
    ['returned', 201],
    ['by-hand', 201],
    ['stream', 201],
    ['filter', 201],
  ])('that are answered by %s take effect once and get the same response again', async (end, status) => {
    const of = names();
    const first = await Promise.all(of.map((name) => call(end, name)));
    expect(new Set(first.map((answer) => answer.status))).toEqual(new Set([status]));
    expect(first.map(({ text }) => text)).toEqual(of.map((name) => JSON.stringify({ name })));
    await poolIsWhole();
    const again = await Promise.all(of.map((name) => call(end, name)));
    expect(again.map((answer) => [answer.status, answer.text])).toEqual(first.map((one) => [status, one.text]));
    if (end !== 'filter') expect(again.every(({ headers }) => headers[REPLAYED] === 'true')).toBe(true);
    expect(await timesDone(of)).toBe(CALLS);
    await poolIsWhole();
  });

  it.each([
    ['a filter of an extension answers', 'filter', 418],
    ['the filter of the service answers', 'exception', 404],
    ['a refusal is written by hand', 'refused-by-hand', 409],
    ['something that is no JSON is written by hand', 'file', 500],
  ])('are rolled back where %s, and can be repeated', async (_, end, status) => {
    const of = names('bad');
    for (let turn = 0; turn < 2; turn += 1) {
      const answers = await Promise.all(of.map((name) => call(end, name)));
      expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([status]));
      expect(answers.some(({ headers }) => headers[REPLAYED] !== undefined)).toBe(false);
      await poolIsWhole();
    }
    expect(await timesDone(of)).toBe(0);
  });

  it('are rolled back if the handler closes the connection', async () => {
    const of = names();
    const cut = await Promise.allSettled(of.map((name) => call('cut', name)));
    expect(new Set(cut.map(({ status }) => status))).toEqual(new Set(['rejected']));
    await poolIsWhole();
    expect(await timesDone(of)).toBe(0);
  });

  it('take effect although their clients disconnected, and are answered on retry', async () => {
    const of = names().slice(0, HELD);
    await broken('late', 'late', of);
    gates.open('late');
    await poolIsWhole();
    expect(await timesDone(of)).toBe(of.length);
    const again = await Promise.all(of.map((name) => call('late', name)));
    expect(again.every(({ status, headers }) => status === 201 && headers[REPLAYED] === 'true')).toBe(true);
    expect(await timesDone(of)).toBe(of.length);
  });

  it.each([
    ['ends with the connection', 'observed'],
    ['has ended without an answer', 'silent'],
  ])('are rolled back when their clients disconnected and the handler %s', async (_, end) => {
    for (let turn = 0; turn < 3; turn += 1) {
      const of = names().slice(0, HELD);
      await broken(end, end, of);
      await poolIsWhole();
      gates.open(end);
      expect(await timesDone(of)).toBe(0);
    }
  });

  it.each(['never', 'never-in-a-unit', 'silent', 'too-late'])(
    'are rolled back if not answered in time (%s), and later work is refused',
    async (end) => {
      const patience = test.app.get(CallPatience, { strict: false });
      const usual = patience.ms;
      patience.ms = 1_000;
      try {
        const of = names();
        const answers = await Promise.all(of.map((name) => call(end, name)));
        expect(answers.map(({ status, body }) => [status, (body as { code: string }).code])).toEqual(
          of.map(() => [503, 'call_took_too_long']),
        );
        gates.open(end);
        await poolIsWhole();
        expect(await timesDone(of)).toBe(0);
      } finally {
        patience.ms = usual;
      }
      const [name] = names();
      expect((await call('returned', name!)).status).toBe(201);
    },
  );

  it('leave half of the pool to calls without a key and to probes while unanswered', async () => {
    // Longer than this process may stand still; those that are held outlast whoever waits for one of them.
    const env = { ROLE: 'api', LOG_LEVEL: 'error', DATABASE_POOL: '6', DATABASE_WAIT_MS: '6000' };
    const own = await startTestApp({ databaseUrl: test.databaseUrl, extensions: [EndsModule], env });
    own.app.useLogger(false);
    own.app.get(CallPatience, { strict: false }).ms = 14_000;
    const raw = new RawClient(own.url);
    const post = (end: string, name: string, headers = {}): Promise<RawAnswer> =>
      raw.send({ method: 'POST', path: pathOf(end, name), token: world.token, headers });
    try {
      const of = names().slice(0, 20);
      let isOver = false;
      const keyed = Promise.all(of.map((name) => post('silent', name, { 'Idempotency-Key': name })));
      void keyed.finally(() => (isOver = true));
      await eventually('half of the pool is held', async () => gates.count('silent') >= 3);
      const meanwhile: RawAnswer[] = [];
      while (!isOver) {
        const ready = raw.send({ method: 'GET', path: '/readyz' });
        meanwhile.push(await ready, ...(await Promise.all(names('plain').map((name) => post('returned', name)))));
      }
      expect(meanwhile.length).toBeGreaterThan(CALLS);
      expect([...new Set(meanwhile.map(({ status }) => status))].sort()).toEqual([200, 201]);
      const refusals = (await keyed).map(({ status, body, headers }) =>
        [status, (body as { code: string }).code, headers['retry-after']].join(' ').trim(),
      );
      expect(refusals.filter((one) => one === '503 call_took_too_long')).toHaveLength(3);
      expect(refusals.filter((one) => one === '503 service_unavailable 2')).toHaveLength(of.length - 3);
      const again = await Promise.all(of.map((name) => post('returned', name, { 'Idempotency-Key': name })));
      expect(new Set(again.map(({ status }) => status))).toEqual(new Set([201]));
    } finally {
      gates.open('silent');
      raw.close();
      await own.close();
    }
  });

  it('are detected if they write outside the transaction of their response', async () => {
    const watch = await WriteWatch.start(db);
    try {
      for (const [end, beside] of [
        ['returned', []],
        ['forgetful', ['done']],
      ] as const) {
        await watch.forget();
        expect((await call(end, names()[0]!)).status).toBe(201);
        expect(await watch.beside(ANSWERS_TABLE)).toEqual(beside);
      }
    } finally {
      await watch.stop();
    }
  });

  it('are rejected at the start for a handler that does not take the work of its call', async () => {
    const starting = startTestApp({ databaseUrl: test.databaseUrl, extensions: [UnaskedModule], env: { ROLE: 'api' } });
    await expect(starting).rejects.toThrow('`@CallWork() work: Work`: UnaskedController.unasked.');
  });

  it('leave nothing behind that keeps the process running', async () => {
    await poolIsWhole();
    const own = await startTestApp({ databaseUrl: test.databaseUrl, extensions: [EndsModule], env: { ROLE: 'api' } });
    own.app.useLogger(false);
    own.app.get(CallPatience, { strict: false }).ms = 200;
    const raw = new RawClient(own.url);
    const headers = { 'Idempotency-Key': randomUUID() };
    const answer = await raw.send({ method: 'POST', path: pathOf('never', 'x'), token: world.token, headers });
    expect(answer.status).toBe(503);
    raw.close();
    await own.close();
  });
});
