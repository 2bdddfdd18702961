import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { SessionsPurge, SESSION_KEPT_DAYS } from '../../src/identity/sessions/sessions-purge.job.js';
import { AnalyticsJob } from '../../src/reporting/analytics/analytics.job.js';
import { AnalyticsRollup } from '../../src/reporting/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { fillRows, rowsOf } from '../support/rows.js';
import { rowsRead } from '../support/rows-read.js';
import { newEmail, World } from '../support/world.js';

const DAY_MS = 86_400_000;
/** Sessions of these were open for a day. */
const AGES = [300, 299, 200, 150, 120, 100, SESSION_KEPT_DAYS + 2, SESSION_KEPT_DAYS, 60, 30, 2, 1];
const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

describe('sessions that are long over', () => {
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
  });
  afterAll(() => test.close());

  const purge = (): Promise<number> => test.app.get(SessionsPurge, { strict: false }).run();
  const roll = (): Promise<void> => test.app.get(AnalyticsJob).run();
  const rebuild = (): Promise<number> => test.app.get(AnalyticsRollup).rebuild(world.environmentId, () => undefined);
  const addUser = async (): Promise<string> =>
    (await world.api.post<{ user: { id: string } }>(world.path('/users'), {}, { expect: 201 })).body.user.id;
  const addSession = async (userId: string, began: number, ends: number): Promise<string> => {
    const id = randomUUID();
    await rowsOf(
      test,
      `INSERT INTO sessions (environment_id, id, user_id, amr, user_agent, token_id, token_issued_at, token_expires_at,
         created_at, expires_at)
       VALUES ($1, $2, $3, '{otp}', 'curl/8.0', gen_random_uuid(), now(), now(), $4, $5)`,
      [world.environmentId, id, userId, new Date(began), new Date(ends)],
    );
    return id;
  };
  const number = async (table: string): Promise<number> =>
    (await rowsOf(test, `SELECT 1 FROM ${table} WHERE environment_id = $1`, [world.environmentId])).length;
  const shown = async (): Promise<object[]> => {
    const [start, end] = [dayOf(Date.now() - 350 * DAY_MS), dayOf(Date.now())];
    const queries = ['overview?granularity=day&', 'overview?granularity=month&', 'topline?', 'engagement?'];
    const answers = queries.map(async (query) => {
      const path = world.path(`/analytics/${query}${new URLSearchParams({ start, end }).toString()}`);
      return (await world.api.get<object>(path, { expect: 200 })).body;
    });
    return Promise.all(answers);
  };
  /** Some people who came at every age, one of whom has left since. */
  async function planted(): Promise<{ stays: string; ids: Map<number, string> }> {
    world = await World.create(test);
    const [stays, leaves] = [await addUser(), await addUser()];
    const ids = new Map<number, string>();
    for (const age of AGES) {
      const began = Date.now() - age * DAY_MS;
      ids.set(age, await addSession(stays, began, began + DAY_MS));
      await addSession(leaves, began + 3_600_000, began + DAY_MS);
    }
    await roll();
    await world.api.delete(world.path(`/users/${leaves}`), { expect: 204 });
    await roll();
    return { stays, ids };
  }

  it('go 90 days after their expiry, and with them their addresses; the others stay', async () => {
    const { stays, ids } = await planted();
    // It was open for long, and ended yesterday.
    const long = await addSession(stays, Date.now() - 290 * DAY_MS, Date.now() - DAY_MS);
    const left = (): Promise<{ id: string }[]> =>
      rowsOf(test, 'SELECT id FROM sessions WHERE environment_id = $1', [world.environmentId]);
    await purge();
    const kept = AGES.filter((age) => age - 1 < SESSION_KEPT_DAYS).map((age) => ids.get(age)!);
    expect((await left()).map(({ id }) => id).sort()).toEqual([...kept, long].sort());
    expect(await purge()).toBe(0);
    const statusOf = async (age: number) => (await world.owner.put(`/sessions/${ids.get(age)!}/revoke`, {})).status;
    expect([await statusOf(300), await statusOf(SESSION_KEPT_DAYS)]).toEqual([404, 200]);
  });

  it('stay in the figures, also when these are counted anew', async () => {
    const { stays } = await planted();
    const before = await shown();
    await rebuild();
    expect(await shown()).toEqual(before);
    expect(await purge()).toBeGreaterThan(0);
    expect(await shown()).toEqual(before);
    for (let round = 0; round < 2; round++) {
      expect(await rebuild()).toBeGreaterThan(0);
      expect(await shown()).toEqual(before);
    }
    // What comes late is in both, however long ago it was.
    await addSession(stays, Date.now() - 299 * DAY_MS, Date.now());
    await addSession(stays, Date.now() - DAY_MS, Date.now());
    await rebuild();
    await roll();
    const after = await shown();
    expect(after).not.toEqual(before);
    await rebuild();
    expect(await shown()).toEqual(after);
  });

  it('take along what is kept of users who are gone, as far as it is not counted anew', async () => {
    await planted();
    const before = await shown();
    const step = (): Promise<number> => test.app.get(AnalyticsRollup).step(world.environmentId);
    await step();
    expect(await number('analytics_departures')).toBe(AGES.length);
    await purge();
    await step();
    const left = await number('analytics_departures');
    expect([left > 0, left < AGES.length]).toEqual([true, true]);
    await rebuild();
    expect(await shown()).toEqual(before);
    expect(await number('analytics_departures')).toBe(left);
  });

  it('are counted or left alone when they go while figures are counted anew', async () => {
    await planted();
    const before = await shown();
    await Promise.all([rebuild(), purge(), rebuild(), test.app.get(AnalyticsRollup).step(world.environmentId)]);
    await roll();
    expect(await shown()).toEqual(before);
  });

  it('are told from those that go with their user, all of which can be counted anew', async () => {
    await planted();
    expect(await number('analytics_horizons')).toBe(0);
    await purge();
    expect(await number('analytics_horizons')).toBe(1);
  });

  it('are found by an index among those that are not', async () => {
    world = await World.create(test);
    const { userId } = await world.signIn(newEmail());
    await fillRows(
      test,
      `INSERT INTO sessions (environment_id, id, user_id, amr, token_id, token_issued_at, token_expires_at, created_at, expires_at)
       SELECT $1, gen_random_uuid(), $2, '{otp}', gen_random_uuid(), now(), now(), now() - n * interval '1 min', now()
       FROM generate_series(1, 20000) AS n`,
      [world.environmentId, userId],
    );
    await fillRows(test, 'ANALYZE sessions');
    const old = `SELECT environment_id, id FROM sessions WHERE expires_at <= now() - $1 * interval '1 second'
      ORDER BY expires_at LIMIT 1000`;
    expect(await rowsRead(test, old, [SESSION_KEPT_DAYS * 86_400])).toBeLessThan(100);
  });
});
