import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AnalyticsJob } from '../../src/reporting/analytics/analytics.job.js';
import { CHUNK } from '../../src/reporting/analytics/rollup.js';
import { AnalyticsRollup } from '../../src/reporting/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { rowsOf } from '../support/rows.js';
import { World } from '../support/world.js';

const HOUR_MS = 3_600_000;
const FIRST = Date.UTC(2026, 0, 10, 7);
/** Places that are given already, so that the next person is beyond the first row of each set. */
const MANY = CHUNK;

/** Windows that are not the sets of their hours, joined: too few in them, too many, or none where there should be one. */
const WRONG = `
  WITH hours AS (SELECT * FROM analytics_presence WHERE environment_id = $1 AND level = 1),
    kept AS (SELECT kind, slot, chunk, bits FROM analytics_presence WHERE environment_id = $1 AND level = 4),
    due AS (
      SELECT h.kind, s.slot, h.chunk, bit_or(h.bits) AS bits FROM analytics_progress p
      CROSS JOIN generate_series((SELECT min(slot) FROM hours) - interval '11 hours',
        p.windows_until - interval '12 hours', interval '1 hour') AS s (slot)
      JOIN hours h ON h.slot >= s.slot AND h.slot < s.slot + interval '12 hours'
      WHERE p.environment_id = $1 GROUP BY h.kind, s.slot, h.chunk)
  SELECT 1 FROM kept FULL JOIN due USING (kind, slot, chunk) WHERE kept.bits IS DISTINCT FROM due.bits`;

describe('windows of half days', () => {
  let test: TestApp;
  let rollup: AnalyticsRollup;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    rollup = test.app.get(AnalyticsRollup);
  });
  afterAll(() => test.close());

  const roll = (): Promise<void> => test.app.get(AnalyticsJob).run();
  const rows = async (of: World, sql: string): Promise<number> => (await rowsOf(test, sql, [of.environmentId])).length;
  const kept = (of: World): Promise<number> =>
    rows(of, 'SELECT 1 FROM analytics_presence WHERE environment_id = $1 AND level = 4');
  const wrong = (of: World): Promise<number> => rows(of, WRONG);

  const signIn = (of: World, hour: number): Promise<unknown> =>
    rowsOf(
      test,
      `WITH someone AS (INSERT INTO users (environment_id, id) VALUES ($1, gen_random_uuid()) RETURNING id)
       INSERT INTO sessions (environment_id, id, user_id, amr, token_id, token_issued_at, token_expires_at, created_at, expires_at)
       SELECT $1, gen_random_uuid(), id, '{otp}', gen_random_uuid(), now(), now(), $2, now() FROM someone`,
      [of.environmentId, new Date(FIRST + hour * HOUR_MS)],
    );

  /** An environment in which that many users have a place, and forty more have come within ten days. */
  async function planted(users: number): Promise<World> {
    const world = await World.create(test);
    await rowsOf(test, 'INSERT INTO analytics_progress (environment_id, users) VALUES ($1, $2)', [
      world.environmentId,
      users,
    ]);
    for (let n = 0; n < 40; n++) await signIn(world, n * 6 + (n % 5));
    await roll();
    return world;
  }

  it('are the union of their hours, and are stored if there are more people than fit in one row', async () => {
    const [few, many] = [await planted(0), await planted(MANY)];
    expect([await kept(few), (await kept(many)) > 200, await wrong(many)]).toEqual([0, true, 0]);
    // What is not over is in no window: whoever comes would have to be added all the time.
    const early =
      "SELECT 1 FROM analytics_progress WHERE environment_id = $1 AND windows_until > now() - interval '15 minutes'";
    expect(await rows(many, early)).toBe(0);
  });

  it('include late arrivals, also before all others and while they are built', async () => {
    const world = await planted(MANY);
    for (const hour of [-100, -1, 3, 50, 51, 400, 1_000]) await signIn(world, hour);
    const before = await kept(world);
    await roll();
    expect([(await kept(world)) > before, await wrong(world)]).toEqual([true, 0]);

    await rowsOf(test, 'UPDATE analytics_progress SET windows_until = NULL WHERE environment_id = $1', [
      world.environmentId,
    ]);
    const making = (async () => {
      while (await rollup.keepWindows(world.environmentId));
    })();
    for (let n = 0; n < 30; n++) {
      await signIn(world, n * 8);
      await rollup.step(world.environmentId);
    }
    await making;
    expect(await wrong(world)).toBe(0);
  });

  it('are rebuilt with everything else', async () => {
    const world = await planted(MANY);
    const before = await kept(world);
    await rollup.rebuild(world.environmentId, () => undefined);
    expect(await kept(world)).toBe(0);
    await signIn(world, 0);
    await roll();
    expect([await kept(world), await wrong(world)]).toEqual([before, 0]);
  });

  it('would be seen to lack somebody if late arrivals were not added', async () => {
    const world = await planted(MANY);
    await rowsOf(test, 'ALTER TABLE analytics_presence DISABLE TRIGGER windows_kept');
    await signIn(world, 20);
    await roll();
    await rowsOf(test, 'ALTER TABLE analytics_presence ENABLE TRIGGER windows_kept');
    expect(await wrong(world)).toBe(12);
  });
});
