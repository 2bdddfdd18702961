import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { analyticsRebuild } from '../../src/cli/analytics.commands.js';
import { FACTS_OF_A_STEP } from '../../src/reporting/analytics/analytics-rollup.service.js';
import { AnalyticsJob } from '../../src/reporting/analytics/analytics.job.js';
import { CHUNK } from '../../src/reporting/analytics/rollup.js';
import { AnalyticsRollup } from '../../src/reporting/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { withClient } from '../support/postgres.js';
import { roomInDay } from '../support/room-in-day.js';
import { fillRows, rowsOf } from '../support/rows.js';
import { rowsRead } from '../support/rows-read.js';
import { countStatements } from '../support/statements.js';
import { newAddress } from '../support/surface/records.js';
import { newEmail, World } from '../support/world.js';

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15';
/** By what it has to be recognised, and as what. */
const AGENTS = [
  [IPHONE, 'iOS'],
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9)', 'Android'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'macOS'],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)', 'ChromeOS'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'Linux'],
  ['curl/8.0', 'other'],
] as const;
type Way = readonly [format: string, provider: string | null];
/** Ways of signing in, by their credential. */
const WAYS: readonly Way[] = [
  ['email', null],
  ['oauth', 'google'],
  ['oauth', 'github'],
  ['oauth', null],
  ['blockchain', null],
];
/** With offsets of whole, half and three quarter hours, and clocks that change, also over midnight. */
const ZONES = ['UTC', 'Europe/Zurich', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'America/Havana'];
const FIRST = Date.UTC(2025, 9, 1);
const LAST = Date.UTC(2026, 3, 20);
const DAY_MS = 86_400_000;

interface Trend {
  date: string;
  dimValue: string;
  nSessionsVisits: number;
}
interface Overview {
  activeUsers: { date: string; nUsers: number }[];
  sessions: { byLoginMethod: Trend[]; byOperatingSystem: Trend[] };
}
interface Engagement {
  activeWeeklyDays: { nDays: number; nUserWeeks: number; pctUserWeeks: number }[];
  retention: Record<
    'allUsers' | 'newUsers',
    { cohortWeek: string; returningWeek: string; retentionPct: number | null }[]
  >;
  sessionsHeatmap: { hourBucket: number; weekday: number; nSessionsVisits: number }[];
}
interface ByDate {
  totalUnique: number;
  sessions: { date: string; count: number; uniqueUsers: number }[];
}
interface Visits {
  summedSessionsCount: number;
  summedTotalUniqueCount: number;
  users: ByDate;
  visits: ByDate;
}

const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

describe('figures', () => {
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    world = await World.create(test);
    await rowsOf(test, 'CREATE TABLE seen_visits (environment_id uuid, visitor_id uuid, at timestamptz)');
  });
  afterAll(() => test.close());

  const roll = (): Promise<void> => test.app.get(AnalyticsJob).run();
  const ask = async <T>(of: World, path: string, query: Record<string, string>): Promise<T> =>
    (await of.api.get<T>(of.path(`/analytics/${path}?${new URLSearchParams(query).toString()}`), { expect: 200 })).body;
  const facts = async (of: World): Promise<number> =>
    (await rowsOf(test, 'SELECT 1 FROM analytics_facts WHERE environment_id = $1', [of.environmentId])).length;

  /** Raw rows as the service writes them, at any time. */
  const addUsers = (of: World, count: number): Promise<{ id: string }[]> =>
    rowsOf(
      test,
      'INSERT INTO users (environment_id, id) SELECT $1, gen_random_uuid() FROM generate_series(1, $2::int) RETURNING id',
      [of.environmentId, count],
    );
  const addSession = (
    of: World,
    userId: string,
    at: number,
    agent: string,
    credentialId: string | null = null,
  ): Promise<unknown> =>
    rowsOf(
      test,
      `INSERT INTO sessions (environment_id, id, user_id, amr, user_agent, token_id, token_issued_at, token_expires_at,
         created_at, expires_at, credential_id)
       VALUES ($1, gen_random_uuid(), $2, '{otp}', $4, gen_random_uuid(), now(), now(), $3, now(), $5)`,
      [of.environmentId, userId, new Date(at), agent, credentialId],
    );
  const addCredential = async (of: World, userId: string, [format, provider]: Way): Promise<string> =>
    (
      await rowsOf<{ id: string }>(
        test,
        `INSERT INTO credentials (environment_id, id, user_id, format, oauth_provider)
         VALUES ($1, gen_random_uuid(), $2, $3, $4) RETURNING id`,
        [of.environmentId, userId, format, provider],
      )
    )[0]!.id;
  const addVisit = (of: World, address: string, at: number): Promise<unknown> =>
    rowsOf(
      test,
      `WITH came AS (
         INSERT INTO visitors AS v (environment_id, id, address, chain, provider, wallet_name, last_visit)
         VALUES ($1, gen_random_uuid(), $2, 'EVM', 'browserExtension', 'w', $3)
         ON CONFLICT (environment_id, address, chain, wallet_name)
         DO UPDATE SET visits = v.visits + 1, last_visit = excluded.last_visit RETURNING id)
       INSERT INTO seen_visits SELECT $1, id, $3 FROM came`,
      [of.environmentId, address, new Date(at)],
    );
  const addWallet = (
    of: World,
    userId: string,
    [chain, name, at]: readonly [string, string, number],
  ): Promise<unknown> =>
    rowsOf(
      test,
      `INSERT INTO wallets (environment_id, id, user_id, kind, name, chain, address, provider, created_at)
       VALUES ($1, gen_random_uuid(), $2, 'external', $4, $3, replace(gen_random_uuid()::text, '-', ''), 'browserExtension', $5)`,
      [of.environmentId, userId, chain, name, new Date(at)],
    );

  it('describe a sign-in, a visit and a wallet', async () => {
    await roomInDay();
    const own = await World.create(test);
    const { userId } = await own.signIn(newEmail());
    await own.anonymous.post(
      own.sdk('/connect'),
      { address: '0xabc', chain: 'EVM', provider: 'browserExtension', walletName: 'metamask' },
      { expect: 202 },
    );
    await addWallet(own, userId, ['SOL', 'phantom', Date.now()]);
    await roll();
    const today = dayOf(Date.now());
    const range = { start: today, end: today };
    const overview = await ask<Overview>(own, 'overview', { ...range, granularity: 'day' });
    expect(overview.activeUsers).toEqual([{ date: today, nUsers: 1 }]);
    expect(overview.sessions.byLoginMethod).toEqual([{ date: today, dimValue: 'email', nSessionsVisits: 1 }]);
    expect(await ask(own, 'topline', range)).toEqual({
      sessions: { allTime: 1, inRange: 1 },
      users: { allTime: 1, inRange: 1 },
      wallets: { allTime: 1, inRange: 1 },
    });
    const phantom = [{ walletNameDisplay: 'phantom', nWallets: 1 }];
    expect(await ask(own, 'walletsBreakdown', { ...range, chain: 'SOL' })).toEqual({
      breakdown: { allTime: phantom, inRange: phantom },
    });
    expect(await ask(own, 'walletsBreakdown', { ...range, chain: 'EVM' })).toEqual({
      breakdown: { allTime: [], inRange: [] },
    });
    expect(await ask(own, 'wallets', {})).toEqual([{ walletName: 'phantom', count: 1 }]);
    await addWallet(own, userId, ['ETH', 'metamask', Date.now()]);
    await addWallet(own, userId, ['EVM', 'metamask', Date.now()]);
    await roll();
    const metamask = [{ walletNameDisplay: 'metamask', nWallets: 2 }];
    for (const chain of ['EVM', 'ETH'])
      expect(await ask(own, 'walletsBreakdown', { ...range, chain })).toEqual({
        breakdown: { allTime: metamask, inRange: metamask },
      });
    const visits = await ask<Visits>(own, 'visits', {});
    expect([visits.summedSessionsCount, visits.summedTotalUniqueCount]).toEqual([2, 2]);
    expect(visits.visits.sessions).toHaveLength(30);
    expect(visits.visits.sessions.at(-1)).toEqual({ date: today, count: 1, uniqueUsers: 1 });
  });

  /** As if so many users had a place already: past the first row of each set, windows of half days are kept. */
  const givePlaces = (of: World, users: number): Promise<unknown> =>
    rowsOf(test, 'INSERT INTO analytics_progress (environment_id, users) VALUES ($1, $2)', [of.environmentId, users]);
  const windowsOf = async (of: World): Promise<number> =>
    (await rowsOf(test, 'SELECT 1 FROM analytics_presence WHERE environment_id = $1 AND level = 4', [of.environmentId]))
      .length;

  it.each([
    ['few', 0],
    ['many', CHUNK],
  ])(
    'of %s people equal a recount, for any range and time zone, however late facts arrive',
    async (_, places) => {
      world = await World.create(test);
      await givePlaces(world, places);
      const users = (await addUsers(world, 40)).map(({ id }) => id);
      const credentials = new Map<string, string[]>();
      for (const [at, userId] of users.entries()) {
        const ways = WAYS.filter((_, way) => (at + way) % 3 > 0);
        credentials.set(userId, await Promise.all(ways.map((way) => addCredential(world, userId, way))));
      }
      const random = fc.sample(fc.integer({ min: FIRST, max: LAST }), 700);
      // Around the night of 1 November 2025 clocks in Havana go back over midnight.
      const nights = fc.sample(fc.integer({ min: Date.UTC(2025, 10, 2, 3), max: Date.UTC(2025, 10, 2, 7) }), 100);
      for (const [index, at] of [...random, ...nights].entries()) {
        const userId = users[(index * 7 + (at % 5)) % users.length]!;
        // Every eleventh by a method that leaves no credential.
        const own = credentials.get(userId)!;
        const credential = index % 11 === 0 ? null : own[index % own.length]!;
        await addSession(world, userId, at, AGENTS[index % AGENTS.length]![0], credential);
        if (index % 4 === 0) await addVisit(world, `0x${index % 28}`, at);
        if (index % 9 === 0) await addWallet(world, userId, [index % 2 ? 'SOL' : 'EVM', `wallet ${index % 5}`, at]);
        // What comes after this is late: it belongs to days that were counted already.
        if (index % 150 === 0) await roll();
      }
      await roll();
      expect(await facts(world)).toBe(0);
      expect((await windowsOf(world)) > 0).toBe(places > 0);

      const day = fc.integer({ min: FIRST / DAY_MS, max: LAST / DAY_MS });
      await fc.assert(
        fc.asyncProperty(
          day,
          fc.integer({ min: 0, max: 90 }),
          fc.constantFrom(...ZONES),
          fc.constantFrom('day', 'week', 'month'),
          async (from, length, zone, granularity) => {
            const [first, last] = [dayOf(from * DAY_MS), dayOf((from + length) * DAY_MS)];
            await compare({ first, last, zone, granularity });
          },
        ),
        { numRuns: 20, examples: [[Date.UTC(2025, 10, 1) / DAY_MS, 1, 'America/Havana', 'day']] },
      );
    },
    300_000,
  );

  /** The same figures counted row by row, by statements that share nothing with those of the service. */
  async function compare(range: { first: string; last: string; zone: string; granularity: string }): Promise<void> {
    const { first, last, zone, granularity } = range;
    const values = [world.environmentId, first, last, zone];
    const own = <T extends object>(sql: string, more: unknown[] = []): Promise<T[]> =>
      rowsOf<T>(test, sql, [...values, ...more]);
    const query = { start: first, end: last, timeZone: zone };
    const inRange = (time: string): string => `(${time} AT TIME ZONE $4)::date BETWEEN $2::date AND $3::date`;
    const bucket = `to_char(date_trunc($5, created_at AT TIME ZONE $4), 'YYYY-MM-DD')`;

    const overview = await ask<Overview>(world, 'overview', { ...query, granularity });
    expect(overview.activeUsers.filter(({ nUsers }) => nUsers > 0)).toEqual(
      await own(
        `SELECT ${bucket} AS date, count(DISTINCT user_id)::int AS "nUsers" FROM sessions
         WHERE environment_id = $1 AND ${inRange('created_at')} GROUP BY 1 ORDER BY 1`,
        [granularity],
      ),
    );
    const raw = await own<{ date: string; agent: string; format: string | null; provider: string | null }>(
      `SELECT ${bucket.replace('created_at', 's.created_at')} AS date, s.user_agent AS agent, c.format, c.oauth_provider AS provider
       FROM sessions s LEFT JOIN credentials c ON c.environment_id = s.environment_id AND c.id = s.credential_id
       WHERE s.environment_id = $1 AND ${inRange('s.created_at')}`,
      [granularity],
    );
    const systems = new Map<string, number>();
    const ways = new Map<string, number>();
    const add = (to: Map<string, number>, key: string): void => void to.set(key, (to.get(key) ?? 0) + 1);
    for (const { date, agent, format, provider } of raw) {
      add(systems, `${date} ${AGENTS.find(([text]) => text === agent)![1]}`);
      add(ways, `${date} ${format === 'oauth' ? (provider ?? 'oauth') : (format ?? 'other')}`);
    }
    const shown = (trend: Trend[]): string[] =>
      trend.map((row) => `${row.date} ${row.dimValue}=${row.nSessionsVisits}`).sort();
    const counted = (of: Map<string, number>): string[] => [...of].map(([key, count]) => `${key}=${count}`).sort();
    expect(shown(overview.sessions.byOperatingSystem)).toEqual(counted(systems));
    expect(shown(overview.sessions.byLoginMethod)).toEqual(counted(ways));

    const [totals] = await own<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM sessions WHERE environment_id = $1) AS s,
         (SELECT count(DISTINCT user_id)::int FROM sessions WHERE environment_id = $1) AS u,
         (SELECT count(DISTINCT user_id)::int FROM sessions WHERE environment_id = $1 AND ${inRange('created_at')}) AS ui,
         (SELECT count(*)::int FROM wallets WHERE environment_id = $1) AS w,
         (SELECT count(*)::int FROM wallets WHERE environment_id = $1 AND ${inRange('created_at')}) AS wi`,
    );
    expect(await ask(world, 'topline', query)).toEqual({
      sessions: { allTime: totals!['s'], inRange: raw.length },
      users: { allTime: totals!['u'], inRange: totals!['ui'] },
      wallets: { allTime: totals!['w'], inRange: totals!['wi'] },
    });

    const wallets = `SELECT name AS "walletName", count(*)::int AS count FROM wallets
      WHERE environment_id = $1 AND ${inRange('created_at')}`;
    const dates = { startDate: first, endDate: last, timeZone: zone };
    expect(await ask(world, 'wallets', dates)).toEqual(await own(`${wallets} GROUP BY 1 ORDER BY 2 DESC, 1`));
    const ofChain = await ask<{
      breakdown: Record<'inRange' | 'allTime', { walletNameDisplay: string; nWallets: number }[]>;
    }>(world, 'walletsBreakdown', { ...query, chain: 'EVM' });
    const counts = `SELECT name AS "walletNameDisplay", count(*)::int AS "nWallets" FROM wallets
      WHERE environment_id = $1 AND chain = 'EVM'`;
    const order = 'GROUP BY 1 ORDER BY 2 DESC, 1';
    expect(ofChain.breakdown).toEqual({
      allTime: await rowsOf(test, `${counts} ${order}`, [world.environmentId]),
      inRange: await own(`${counts} AND ${inRange('created_at')} ${order}`),
    });

    const visits = await ask<Visits>(world, 'visits', dates);
    for (const [part, table, person, time] of [
      ['users', 'sessions', 'user_id', 'created_at'],
      ['visits', 'seen_visits', 'visitor_id', 'at'],
    ] as const) {
      const byDay = await own<ByDate['sessions'][number]>(
        `SELECT to_char(${time} AT TIME ZONE $4, 'YYYY-MM-DD') AS date, count(*)::int AS count,
           count(DISTINCT ${person})::int AS "uniqueUsers"
         FROM ${table} WHERE environment_id = $1 AND ${inRange(time)} GROUP BY 1 ORDER BY 1`,
      );
      const [whole] = await own<{ people: number }>(
        `SELECT count(DISTINCT ${person})::int AS people FROM ${table} WHERE environment_id = $1 AND ${inRange(time)}`,
      );
      expect(visits[part].sessions.filter(({ count }) => count > 0)).toEqual(byDay);
      expect(visits[part].totalUnique).toBe(whole!.people);
    }
    const sum = ({ sessions }: ByDate): number => sessions.reduce((all, { count }) => all + count, 0);
    expect([visits.summedSessionsCount, visits.summedTotalUniqueCount]).toEqual([
      sum(visits.users) + sum(visits.visits),
      visits.users.totalUnique + visits.visits.totalUnique,
    ]);
    await compareEngagement(await ask<Engagement>(world, 'engagement', query), own, inRange);
  }

  async function compareEngagement(
    { activeWeeklyDays, retention, sessionsHeatmap }: Engagement,
    own: <T extends object>(sql: string) => Promise<T[]>,
    inRange: (time: string) => string,
  ): Promise<void> {
    expect(sessionsHeatmap.map((row) => [row.weekday, row.hourBucket, row.nSessionsVisits])).toEqual(
      (
        await own<{ d: number; h: number; n: number }>(
          `SELECT extract(dow FROM created_at AT TIME ZONE $4)::int AS d,
             extract(hour FROM created_at AT TIME ZONE $4)::int AS h, count(*)::int AS n
           FROM sessions WHERE environment_id = $1 AND ${inRange('created_at')} GROUP BY 1, 2 ORDER BY 1, 2`,
        )
      ).map(({ d, h, n }) => [d, h, n]),
    );
    const weeks = `weeks AS (
      SELECT user_id, date_trunc('week', created_at AT TIME ZONE $4)::date AS week,
        count(DISTINCT (created_at AT TIME ZONE $4)::date)::int AS days
      FROM sessions WHERE environment_id = $1 GROUP BY 1, 2
    ), range AS (
      SELECT * FROM weeks WHERE week BETWEEN date_trunc('week', $2::timestamp)::date AND date_trunc('week', $3::timestamp)::date
    )`;
    const days = await own<{ days: number; n: number }>(
      `WITH ${weeks} SELECT days, count(*)::int AS n FROM range GROUP BY 1 ORDER BY 1`,
    );
    const shown = activeWeeklyDays.filter(({ nUserWeeks }) => nUserWeeks > 0);
    const all = days.reduce((sum, { n }) => sum + n, 0);
    const expectedDays = days.map(({ days: many, n }) => [many, n, Math.round((10_000 * n) / all) / 100]);
    expect(shown.map((row) => [row.nDays, row.nUserWeeks, row.pctUserWeeks])).toEqual(expectedDays);
    for (const [part, isNew] of [
      ['allUsers', 'true'],
      ['newUsers', 'c.week = (SELECT min(w.week) FROM weeks w WHERE w.user_id = c.user_id)'],
    ] as const) {
      const expected = await own<{ c: string; r: string; pct: number }>(
        `WITH ${weeks}, cohorts AS (SELECT user_id, week FROM range c WHERE ${isNew}),
           sizes AS (SELECT week, count(*) AS people FROM cohorts GROUP BY 1)
         SELECT to_char(c.week, 'YYYY-MM-DD') AS c, to_char(r.week, 'YYYY-MM-DD') AS r,
           round(100.0 * count(*) / s.people, 2)::float AS pct
         FROM cohorts c JOIN sizes s ON s.week = c.week JOIN range r ON r.user_id = c.user_id AND r.week >= c.week
         GROUP BY c.week, r.week, s.people ORDER BY 1, 2`,
      );
      expect(
        retention[part]
          .filter(({ retentionPct }) => retentionPct !== null && retentionPct > 0)
          .map((row) => [row.cohortWeek, row.returningWeek, row.retentionPct]),
      ).toEqual(expected.map(({ c, r, pct }) => [c, r, pct]));
    }
  }

  it('count each fact once, with any number of workers and failures', async () => {
    const own = await World.create(test);
    const [user] = await addUsers(own, 1);
    const at = Date.UTC(2026, 0, 10, 12);
    for (let n = 0; n < 30; n++) await addSession(own, user!.id, at + n * 60_000, IPHONE);
    // A step that cannot be finished leaves everything as it was.
    await rowsOf(test, 'ALTER TABLE analytics_presence ADD CONSTRAINT planted CHECK (false) NOT VALID');
    await expect(test.app.get(AnalyticsRollup).step(own.environmentId)).rejects.toThrow('planted');
    await rowsOf(test, 'ALTER TABLE analytics_presence DROP CONSTRAINT planted');
    expect(await facts(own)).toBe(30);
    await Promise.all(Array.from({ length: 12 }, () => test.app.get(AnalyticsRollup).step(own.environmentId)));
    const topline = await ask<{ sessions: unknown }>(own, 'topline', { start: '2026-01-10', end: '2026-01-10' });
    expect(topline).toMatchObject({ sessions: { allTime: 30, inRange: 30 }, users: { inRange: 1 } });
  });

  it('keep deleted users as anonymous counts, and drop deleted wallets', async () => {
    await roomInDay();
    const own = await World.create(test);
    const { userId } = await own.signIn(newEmail());
    await addWallet(own, userId, ['EVM', 'one', Date.now()]);
    await addWallet(own, userId, ['EVM', 'two', Date.now()]);
    await roll();
    await rowsOf(test, "UPDATE wallets SET name = 'three' WHERE environment_id = $1 AND name = 'two'", [
      own.environmentId,
    ]);
    await roll();
    const names = (): Promise<{ walletName: string }[]> => ask(own, 'wallets', {});
    expect((await names()).map(({ walletName }) => walletName)).toEqual(['one', 'three']);
    // Nor is one counted that its user has put away, when all are counted anew.
    await rowsOf(test, "UPDATE wallets SET deleted_at = now() WHERE environment_id = $1 AND name = 'one'", [
      own.environmentId,
    ]);
    await roll();
    await test.app.get(AnalyticsRollup).rebuild(own.environmentId, () => undefined);
    expect((await names()).map(({ walletName }) => walletName)).toEqual(['three']);
    await own.api.delete(own.path(`/users/${userId}`), { expect: 204 });
    await roll();
    expect(await names()).toEqual([]);
    const today = dayOf(Date.now());
    const topline = await ask<object>(own, 'topline', { start: today, end: today });
    expect(topline).toMatchObject({ sessions: { allTime: 1 }, users: { allTime: 1 }, wallets: { allTime: 0 } });
    expect(await rowsOf(test, 'SELECT 1 FROM analytics_people WHERE user_id = $1', [userId])).toEqual([]);
    // The place of somebody who is gone is given to nobody else.
    await own.signIn(newEmail());
    await roll();
    expect(await ask(own, 'topline', { start: today, end: today })).toMatchObject({ users: { allTime: 2 } });
  });

  it('keep the facts of deleted users in a rebuild, and nothing that identifies them', async () => {
    const own = await World.create(test);
    const [stays, leaves, early] = (await addUsers(own, 3)).map(({ id }) => id) as [string, string, string];
    const google = await addCredential(own, leaves, ['oauth', 'google']);
    const email = await addCredential(own, stays, ['email', null]);
    const noon = Date.UTC(2026, 0, 12, 12);
    for (let n = 0; n < 40; n++) {
      await addSession(own, n % 2 ? leaves : stays, noon + n * 50 * 60_000, IPHONE, n % 2 ? google : email);
    }
    await roll();
    // One came and left before the worker had looked, another unlinked the way in.
    await addSession(own, early, noon, 'curl/8.0');
    await addSession(own, leaves, noon + 7 * DAY_MS, IPHONE, google);
    const range = { start: '2026-01-01', end: '2026-02-01' };
    const shown = async () => {
      const [overview, topline] = [
        await ask<Overview>(own, 'overview', { ...range, granularity: 'day' }),
        await ask<object>(own, 'topline', range),
      ];
      return [overview, topline, await ask<Engagement>(own, 'engagement', range)] as const;
    };
    await rowsOf(test, 'DELETE FROM credentials WHERE environment_id = $1 AND id = $2', [own.environmentId, email]);
    for (const id of [leaves, early]) await own.api.delete(own.path(`/users/${id}`), { expect: 204 });
    await roll();
    const before = await shown();
    expect(before[1]).toMatchObject({ sessions: { allTime: 42 }, users: { allTime: 3, inRange: 3 } });
    const sums = Map.groupBy(before[0].sessions.byLoginMethod, ({ dimValue }) => dimValue);
    const count = (way: string): number => (sums.get(way) ?? []).reduce((sum, row) => sum + row.nSessionsVisits, 0);
    expect([count('email'), count('google'), count('other')]).toEqual([20, 21, 1]);

    const rollup = test.app.get(AnalyticsRollup);
    for (let round = 0; round < 2; round++) {
      expect(await rollup.rebuild(own.environmentId, () => undefined)).toBeGreaterThan(20);
      expect(await shown()).toEqual(before);
    }
    const { rows: tables } = await withClient(test.databaseUrl, (client) =>
      client.query<{ name: string }>(
        "SELECT relname AS name FROM pg_class WHERE relname LIKE 'analytics%' AND relkind = 'r'",
      ),
    );
    expect(tables.length).toBeGreaterThan(5);
    const isIn = async (id: string): Promise<string[]> => {
      const found: string[] = [];
      for (const { name } of tables) {
        const sql = `SELECT 1 FROM ${name} t WHERE to_jsonb(t)::text LIKE '%' || $1 || '%' LIMIT 1`;
        if ((await rowsOf(test, sql, [id])).length > 0) found.push(name);
      }
      return found;
    };
    expect([await isIn(leaves), await isIn(early), await isIn(google)]).toEqual([[], [], []]);
    // Who is still there is found, so the search finds.
    expect(await isIn(stays)).toEqual(['analytics_people']);
  });

  it('are complete when fifty users are deleted while the worker processes their facts', async () => {
    const own = await World.create(test);
    const users = (await addUsers(own, 50)).map(({ id }) => id);
    const at = Date.UTC(2026, 0, 20, 9);
    for (const [n, id] of users.entries()) {
      for (let more = 0; more < 3; more++) await addSession(own, id, at + (n * 7 + more * 400) * 60_000, IPHONE);
    }
    const rollup = test.app.get(AnalyticsRollup);
    await Promise.all([
      ...users.map((id) => own.api.delete(own.path(`/users/${id}`), { expect: 204 })),
      ...Array.from({ length: 10 }, () => rollup.step(own.environmentId)),
    ]);
    await roll();
    const range = { start: '2026-01-01', end: '2026-02-01' };
    const all = { sessions: { allTime: 150, inRange: 150 }, users: { allTime: 50, inRange: 50 } };
    expect(await ask(own, 'topline', range)).toMatchObject(all);
    await rollup.rebuild(own.environmentId, () => undefined);
    expect(await ask(own, 'topline', range)).toMatchObject(all);
    expect(
      await rowsOf(test, 'SELECT 1 FROM analytics_people WHERE environment_id = $1 AND user_id = ANY ($2::uuid[])', [
        own.environmentId,
        users,
      ]),
    ).toEqual([]);
  });

  it('keep the visits of wallets whose owners are deleted, and nothing that leads to them', async () => {
    await roomInDay();
    const own = await World.create(test);
    const addresses = Array.from({ length: 50 }, newAddress);
    const wallet = { chain: 'EVM', walletName: 'test', walletProvider: 'browserExtension' };
    const owners = await Promise.all(
      addresses.map(async (publicWalletAddress) => {
        const body = { email: newEmail(), wallets: [{ ...wallet, publicWalletAddress }] };
        return (await own.api.post<{ user: { id: string } }>(own.path('/users'), body, { expect: 201 })).body.user.id;
      }),
    );
    const come = (from: readonly string[]): Promise<unknown> =>
      Promise.all(
        from.map((address) => {
          const visit = { address, chain: 'EVM', provider: 'browserExtension', walletName: 'test' };
          return own.anonymous.post(own.sdk('/connect'), visit, { expect: 202 });
        }),
      );
    const today = async () =>
      (await ask<Visits>(own, 'visits', {})).visits.sessions
        .map(({ count, uniqueUsers }) => [count, uniqueUsers])
        .at(-1);
    await come(addresses.slice(0, 20));
    await roll();
    await come(addresses.slice(10));
    const visitors = await rowsOf<{ id: string }>(test, 'SELECT id FROM visitors WHERE environment_id = $1', [
      own.environmentId,
    ]);
    const rollup = test.app.get(AnalyticsRollup);
    const leave = (ids: readonly string[]): Promise<unknown>[] =>
      ids.map((id) => own.api.delete(own.path(`/users/${id}`), { expect: 204 }));
    await Promise.all(leave(owners.slice(5, 25)));
    await Promise.all([
      ...leave([...owners.slice(0, 5), ...owners.slice(25)]),
      ...Array.from({ length: 10 }, () => rollup.step(own.environmentId)),
    ]);
    await roll();
    expect(await rowsOf(test, 'SELECT 1 FROM visitors WHERE environment_id = $1', [own.environmentId])).toEqual([]);
    expect(await today()).toEqual([60, 50]);
    const places = 'SELECT 1 FROM analytics_people WHERE environment_id = $1 AND visitor_id = ANY ($2::uuid[])';
    expect(await rowsOf(test, places, [own.environmentId, visitors.map(({ id }) => id)])).toEqual([]);
    // Whoever is back cannot be recognised.
    await come(addresses.slice(0, 1));
    await roll();
    expect(await today()).toEqual([61, 51]);
  });

  it('are the same after a rebuild, also if it is interrupted while people sign in', async () => {
    const own = await World.create(test);
    const users = await addUsers(own, 5);
    for (let n = 0; n < 60; n++) await addSession(own, users[n % 5]!.id, Date.UTC(2026, 0, 1 + n), IPHONE);
    await addVisit(own, '0x1', Date.UTC(2026, 0, 1));
    await roll();
    const range = { start: '2026-01-01', end: '2026-03-31' };
    const shown = async () => [
      await ask(own, 'overview', { ...range, granularity: 'week' }),
      await ask(own, 'visits', { startDate: range.start, endDate: range.end }),
    ];
    const before = await shown();
    const told: [number, number][] = [];
    const rollup = test.app.get(AnalyticsRollup);
    expect(await rollup.rebuild(own.environmentId, (done, of) => void told.push([done, of]))).toBe(60);
    expect(told.at(-1)).toEqual([60, 60]);
    expect(await shown()).toEqual(before);
    await expect(spoken(own)).resolves.toEqual({ said: ['60 counted'], progress: [] });
    expect(await shown()).toEqual(before);

    const cut = rollup.rebuild(own.environmentId, () => {
      throw new Error('killed');
    });
    const more = addSession(own, users[0]!.id, Date.UTC(2026, 1, 1, 5), IPHONE);
    await expect(cut).rejects.toThrow('killed');
    await more;
    await roll();
    expect(await ask(own, 'topline', range)).toMatchObject({ sessions: { allTime: 61 }, users: { allTime: 5 } });
  });

  it('report progress of a rebuild every few thousand facts', async () => {
    const own = await World.create(test);
    await addUsers(own, 1);
    await fillRows(
      test,
      `INSERT INTO sessions (environment_id, id, user_id, amr, token_id, token_issued_at, token_expires_at, created_at, expires_at)
       SELECT $1, gen_random_uuid(), u.id, '{otp}', gen_random_uuid(), now(), now(), timestamptz '2026-01-01' + n * interval '1 min', now()
       FROM generate_series(1, $2::int) AS n, users u WHERE u.environment_id = $1`,
      [own.environmentId, 11 * FACTS_OF_A_STEP],
    );
    const { said, progress } = await spoken(own);
    expect(said).toEqual([`${11 * FACTS_OF_A_STEP} counted`]);
    expect(progress).toEqual([`… ${10 * FACTS_OF_A_STEP} of ${11 * FACTS_OF_A_STEP} counted`]);
  });

  /** What the command says while it counts anew, and at its end. */
  async function spoken(of: World): Promise<{ said: string[]; progress: string[] }> {
    const [said, progress]: [string[], string[]] = [[], []];
    const spies = [
      jest.spyOn(console, 'log').mockImplementation((text: string) => void said.push(text)),
      jest.spyOn(console, 'error').mockImplementation((text: string) => void progress.push(text)),
    ];
    try {
      await analyticsRebuild(test.app, ['--environment', of.environmentId]);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    return { said, progress };
  }

  it.each([
    ['overview', { start: '2026-02-30', end: '2026-03-01', granularity: 'day' }],
    ['overview', { start: '2026-02-01', end: '2026-03-01', granularity: 'hour' }],
    ['overview', { start: '2025-01-01', end: '2026-03-01', granularity: 'day' }],
    ['topline', { start: '2026-02-02', end: '2026-02-01' }],
    ['topline', { start: '2026-02-02', end: '2026-02-03', timeZone: 'Mars/Base' }],
    ['topline', { start: '2026-02-02', end: '2026-02-03', timeZone: '+05:30' }],
    // To PostgreSQL these are offsets without a summer, or of another place; of the last it knows nothing.
    ['topline', { start: '2026-02-02', end: '2026-02-03', timeZone: 'CET' }],
    ['topline', { start: '2026-02-02', end: '2026-02-03', timeZone: 'IST' }],
    ['topline', { start: '2026-02-02', end: '2026-02-03', timeZone: 'aet' }],
    ['visits', { timeZone: 'US/Pacific-New' }],
    ['walletsBreakdown', { start: '2026-02-02', end: '2026-02-03', chain: 'moon' }],
    ['visits', { startDate: 'yesterday' }],
    ['visits', { endDate: '0001-01-01' }],
    ['topline', { start: '1990-01-01', end: '1990-02-01' }],
    ['engagement', { start: '2101-01-01', end: '2101-02-01' }],
  ])('of %s are refused for %j, with the field that is wrong', async (path, query) => {
    const { body } = await world.api.get<{ code: string }>(
      world.path(`/analytics/${path}?${new URLSearchParams(query as Record<string, string>).toString()}`),
      { expect: 400 },
    );
    expect(body.code).toBe('validation_failed');
  });

  it('cost the same for a thousand sign-ins and for forty thousand', async () => {
    const read = async (sessions: number): Promise<number[]> => {
      const own = await World.create(test);
      await addUsers(own, 500);
      await fillRows(
        test,
        `INSERT INTO sessions (environment_id, id, user_id, amr, user_agent, token_id, token_issued_at,
           token_expires_at, created_at, expires_at)
         SELECT $1, gen_random_uuid(), u.id, '{otp}', 'curl', gen_random_uuid(), now(), now(),
           timestamptz '2026-01-01' + n * interval '60 days' / $2, now()
         FROM generate_series(0, $2::int - 1) AS n
         JOIN (SELECT id, row_number() OVER () AS k FROM users WHERE environment_id = $1) u ON u.k = 1 + n % 500`,
        [own.environmentId, sessions],
      );
      await roll();
      await withClient(test.databaseUrl, (client) => client.query('ANALYZE analytics_presence, analytics_counts'));
      const reads: number[] = [];
      for (const [path, query] of [
        ['overview', 'granularity=month&'],
        ['topline', ''],
        ['walletsBreakdown', 'chain=EVM&'],
      ] as const) {
        const call = own.path(`/analytics/${path}?${query}start=2026-01-01&end=2026-03-01`);
        const { sent } = await countStatements(() => own.api.get(call, { expect: 200 }));
        const figures = sent.filter(({ name }) => name.startsWith('analytics'));
        for (const { text, values } of figures) reads.push(await rowsRead(test, text, values));
      }
      return reads;
    };
    const few = await read(1_000);
    const many = await read(40_000);
    expect(Math.max(...many)).toBeLessThan(2_000);
    expect(many.reduce((sum, rows) => sum + rows, 0)).toBeLessThan(2 * few.reduce((sum, rows) => sum + rows, 0) + 500);
    const whole = await rowsRead(test, 'SELECT count(*) FROM sessions', []);
    expect(whole).toBeGreaterThanOrEqual(41_000);
  }, 300_000);
});
