import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AnalyticsRollup } from '../../src/reporting/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { fillRows, rowsOf } from '../support/rows.js';
import { rowsRead } from '../support/rows-read.js';
import { noteFigure, scaleOf } from '../support/scale.js';
import { countStatements } from '../support/statements.js';
import { World } from '../support/world.js';

const MANY = scaleOf('EVENTS', 100_000);
const FEW = 10_000;
const DAYS = 90;
/** Sign-ins of each user, on average. */
const EACH = 30;
/** Days of a zone whose offset is no whole number of days: each is two dozen slots. */
const ZONE = 'Europe/Zurich';
const [FIRST, LAST] = ['2026-01-02', '2026-03-30'];
/** Answers of a busy machine. */
const MOST_MS = 20_000;
/** Slots of a range times the chunks of a third of a million users; sign-ins are 10 000 000. */
const MOST_ROWS = 60_000;
const ROUNDS = 5;

const RANGE = `start=${FIRST}&end=${LAST}&timeZone=${ZONE}`;
const DATES = `startDate=${FIRST}&endDate=${LAST}&timeZone=${ZONE}`;
const OPERATIONS = {
  getAnalyticsOverview: `overview?granularity=day&${RANGE}`,
  getAnalyticsTopline: `topline?${RANGE}`,
  getAnalyticsEngagement: `engagement?${RANGE}`,
  getAnalyticsWallets: `walletsBreakdown?chain=EVM&${RANGE}`,
  getVisitAnalytics: `visits?${DATES}`,
  getWalletsBreakdown: `wallets?${DATES}`,
} as const;

/** What happened, as rows of the test's own: nothing of the service reads or writes them. */
const HAPPENED = `
  INSERT INTO happened SELECT $1,
    timestamptz '2026-01-01 00:00:00Z' + ((n * 7919) % (${DAYS} * 96)) * interval '15 minutes',
    ((n * 104729 + n / 97) % greatest(1, $2::bigint / ${EACH}))::int, 'way ' || n % 4
  FROM generate_series(1, $2::bigint) AS n`;
/** Sums and sets as the worker keeps them, made all at once. */
const COUNTS = `
  WITH quarters AS (SELECT slot, way, count(*) AS count FROM happened WHERE environment_id = $1 GROUP BY 1, 2)
  INSERT INTO analytics_counts (environment_id, measure, level, slot, chain, name, count)
  SELECT $1, m.measure, l.level, l.slot, m.chain, m.name, sum(q.count) FROM quarters q
  CROSS JOIN LATERAL (VALUES ('sessions', '', ''), ('sessions.method', '', q.way), ('sessions.system', '', q.way),
    ('visits', '', ''), ('wallets', 'EVM', q.way)) AS m (measure, chain, name)
  CROSS JOIN LATERAL (VALUES (0, q.slot), (1, date_trunc('hour', q.slot, 'UTC')), (2, date_trunc('day', q.slot, 'UTC')),
    (3, date_trunc('month', q.slot, 'UTC'))) AS l (level, slot)
  GROUP BY 2, 3, 4, 5, 6`;
const SETS = `
  INSERT INTO analytics_presence (environment_id, kind, level, slot, chunk, bits)
  SELECT $1, 'user', 0, slot, person / 32768, bit_or(set_bit(0::bit(32768), person % 32768, 1))
  FROM happened WHERE environment_id = $1 GROUP BY slot, person / 32768`;
const LONGER_SETS = `
  INSERT INTO analytics_presence (environment_id, kind, level, slot, chunk, bits)
  SELECT $1, 'user', l.level, date_trunc(l.unit, p.slot, 'UTC'), p.chunk, bit_or(p.bits)
  FROM analytics_presence p CROSS JOIN (VALUES (1, 'hour'), (2, 'day'), (3, 'month')) AS l (level, unit)
  WHERE p.environment_id = $1 AND p.level = 0 GROUP BY 3, 4, 5`;
const VISITORS = `
  INSERT INTO analytics_presence (environment_id, kind, level, slot, chunk, bits)
  SELECT environment_id, 'visitor', level, slot, chunk, bits FROM analytics_presence WHERE environment_id = $1`;

interface Overview {
  activeUsers: { date: string; nUsers: number }[];
  sessions: { byLoginMethod: { date: string; dimValue: string; nSessionsVisits: number }[] };
}

describe(`figures of ${MANY} sign-ins`, () => {
  let test: TestApp;
  let few: World;
  let many: World;

  async function planted(events: number): Promise<World> {
    const world = await World.create(test);
    const id = world.environmentId;
    await fillRows(test, HAPPENED, [id, events]);
    for (const text of [COUNTS, SETS, LONGER_SETS, VISITORS]) await fillRows(test, text, [id]);
    await fillRows(test, 'INSERT INTO analytics_progress (environment_id, users) VALUES ($1, $2)', [
      id,
      Math.ceil(events / EACH),
    ]);
    while (await test.app.get(AnalyticsRollup).keepWindows(id));
    return world;
  }

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    await rowsOf(test, 'CREATE UNLOGGED TABLE happened (environment_id uuid, slot timestamptz, person int, way text)');
    few = await planted(FEW);
    many = await planted(MANY);
    await fillRows(test, 'ANALYZE analytics_counts, analytics_presence');
  }, 900_000);
  afterAll(() => test?.close());

  const ask = async <T>(of: World, query: string): Promise<T> =>
    (await of.api.get<T>(of.path(`/analytics/${query}`), { expect: 200 })).body;
  const own = <T extends object>(sql: string): Promise<T[]> =>
    rowsOf<T>(test, sql.replaceAll('$day', `(slot AT TIME ZONE '${ZONE}')::date`), [many.environmentId, FIRST, LAST]);

  it('equal a recount of the facts', async () => {
    const [totals] = await own<Record<'all' | 'inRange' | 'people' | 'peopleInRange', number>>(
      `SELECT count(*)::int AS all, count(*) FILTER (WHERE $day BETWEEN $2::date AND $3::date)::int AS "inRange",
         count(DISTINCT person)::int AS people,
         count(DISTINCT person) FILTER (WHERE $day BETWEEN $2::date AND $3::date)::int AS "peopleInRange"
       FROM happened WHERE environment_id = $1`,
    );
    expect(totals!.all).toBe(MANY);
    expect(await ask(many, OPERATIONS.getAnalyticsTopline)).toMatchObject({
      sessions: { allTime: totals!.all, inRange: totals!.inRange },
      users: { allTime: totals!.people, inRange: totals!.peopleInRange },
      wallets: { allTime: totals!.all, inRange: totals!.inRange },
    });
    const overview = await ask<Overview>(many, OPERATIONS.getAnalyticsOverview);
    const people = await own<{ date: string; nUsers: number }>(
      `SELECT to_char($day, 'YYYY-MM-DD') AS date, count(DISTINCT person)::int AS "nUsers" FROM happened
       WHERE environment_id = $1 AND $day BETWEEN $2::date AND $3::date GROUP BY 1 ORDER BY 1`,
    );
    expect(overview.activeUsers).toEqual(people);
    const ways = await own<{ key: string }>(
      `SELECT to_char($day, 'YYYY-MM-DD') || ' ' || way || ' ' || count(*) AS key FROM happened
       WHERE environment_id = $1 AND $day BETWEEN $2::date AND $3::date GROUP BY $day, way ORDER BY 1`,
    );
    const shown = overview.sessions.byLoginMethod.map((row) => `${row.date} ${row.dimValue} ${row.nSessionsVisits}`);
    expect(shown.sort()).toEqual(ways.map(({ key }) => key).sort());
  }, 300_000);

  it.each(Object.entries(OPERATIONS))(
    '%s reads the slots of its range, and not the facts',
    async (operation, query) => {
      const readBy = async (of: World): Promise<number> => {
        const { sent } = await countStatements(() => ask(of, query));
        const figures = sent.filter(({ name, text }) => name.startsWith('analytics') && text.includes('$1'));
        let rows = 0;
        for (const { text, values } of figures) rows += await rowsRead(test, text, values);
        return rows;
      };
      const [small, large] = [await readBy(few), await readBy(many)];
      expect(large).toBeGreaterThan(0);
      expect(large).toBeLessThan(MOST_ROWS);
      // Sets are in chunks of 32 768 users; nothing else may grow.
      const chunks = Math.ceil(MANY / EACH / 32_768);
      expect(large).toBeLessThan(chunks * 5 * small + 5_000);

      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const from = performance.now();
        await ask(many, query);
        times.push(performance.now() - from);
      }
      const median = times.sort((a, b) => a - b)[ROUNDS >> 1]!;
      noteFigure(`${operation} at ${MANY}`, { ms: Math.round(median), rows: large, rowsOfFew: small });
      expect(median).toBeLessThan(MOST_MS);
    },
    180_000,
  );

  it('would be detected if they read the facts', async () => {
    const sql = 'SELECT count(*) FROM happened WHERE environment_id = $1';
    expect(await rowsRead(test, sql, [many.environmentId])).toBeGreaterThanOrEqual(Math.min(MANY, MOST_ROWS));
  });
});
