import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ScreeningChecksRepository } from '../../src/access-control/screening/screening-checks.repository.js';
import { Database } from '../../src/database/index.js';
import { ResultsRepository } from '../../src/webhooks/delivery/results.repository.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { rowsOf } from '../support/rows.js';
import { newAddress } from '../support/surface/records.js';
import { newEmail, World } from '../support/world.js';

const ROUNDS = 12;

describe('statements over many rows that two instances run at once', () => {
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await startTestApp({ env: { ROLE: 'api' } });
    world = await World.create(test);
  });
  afterAll(() => test.close());

  /** What fails when both orders of the rows are given at once, again and again. */
  async function crossing<T>(rows: readonly T[], run: (rows: readonly T[]) => Promise<unknown>): Promise<unknown[]> {
    const orders = [rows, rows.toReversed()];
    const failures: unknown[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const outcomes = await Promise.allSettled([...orders, ...orders].map(run));
      failures.push(...outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : [])));
    }
    return failures;
  }

  it('store the screenings of one user in any order of the addresses', async () => {
    const { userId } = await world.signIn(newEmail());
    const checks = Array.from(
      { length: 200 },
      () => ({ address: newAddress(), result: 'OK', response: '{}' }) as const,
    );
    const [repository, database] = [test.app.get(ScreeningChecksRepository), test.app.get(Database)];
    const keep = (some: typeof checks) => repository.keep(world.environmentId, userId, some, database);
    expect(await crossing(checks, (some) => keep([...some]))).toEqual([]);
    const stored = 'SELECT count(*)::int AS count FROM screening_checks WHERE user_id = $1';
    expect(await rowsOf(test, stored, [userId])).toEqual([{ count: checks.length }]);
  });

  it('note the outcomes of webhooks in any order of the webhooks', async () => {
    const made = `INSERT INTO webhooks SELECT (jsonb_populate_record(w, jsonb_build_object('id', gen_random_uuid()))).*
      FROM webhooks w, generate_series(1, 5000) WHERE w.environment_id = $1 RETURNING id`;
    const body = { url: 'https://hooks.example.com/', events: ['user.created'], isEnabled: true };
    await world.api.post(world.path('/webhooks'), body, { expect: 201 });
    const ids = (await rowsOf<{ id: string }>(test, made, [world.environmentId])).map(({ id }) => id);
    // As in a deployment of this size, so that the rows are found by their ids.
    await rowsOf(test, 'ANALYZE webhooks');
    const results = test.app.get(ResultsRepository);
    const tallies = ids.slice(0, 150).map((webhookId) => ({
      ...{ environmentId: world.environmentId, webhookId, url: body.url },
      ...{ failures: 1, timeouts: 0, answered: true },
    }));
    const note = async (some: readonly (typeof tallies)[number][]): Promise<void> => {
      await results.noteFailures(some);
      await results.noteSuccesses(some as never);
    };
    expect(await crossing(tallies, note)).toEqual([]);
  });
});
