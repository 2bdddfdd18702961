import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { mintEnvironmentId } from '../../src/auth/index.js';
import { FACTS_OF_A_STEP } from '../../src/reporting/analytics/analytics-rollup.service.js';
import { AnalyticsRollup } from '../../src/reporting/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { withClient } from '../support/postgres.js';
import { fillRows, rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { World } from '../support/world.js';

/** After as many calls PostgreSQL has chosen between a plan for the values and one for any. */
const TIMES = 8;
const FACTS = 10 * FACTS_OF_A_STEP;
const FILL = `INSERT INTO analytics_facts (environment_id, id, kind, at, user_id)
  SELECT $1, gen_random_uuid(), 'session', timestamptz '2026-01-01' + n * interval '1 min', $3
  FROM generate_series(1, $2::int) n`;

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Rows that come out of each part of a plan, and those that are compared and thrown away. */
const rowsHandled = (node: PlanNode): number =>
  node['Actual Loops'] *
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)) +
  (node.Plans ?? []).reduce((all, child) => all + rowsHandled(child), 0);

describe('a step of the figures', () => {
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    world = await World.create(test);
  });
  afterAll(() => test.close());

  const statementOfATake = async (): Promise<string> => {
    const step = (): Promise<number> => test.app.get(AnalyticsRollup).step(mintEnvironmentId(world.environmentId));
    const { sent } = await countStatements(step);
    return sent.find(({ name }) => name === 'analyticsFacts.take')!.text;
  };

  async function handled(client: pg.Client, facts: number): Promise<number> {
    await client.query('BEGIN');
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE take ('${world.environmentId}', ${facts})`,
    );
    await client.query('ROLLBACK');
    return rowsHandled(rows[0]!['QUERY PLAN'][0].Plan);
  }

  it.each([
    ['was never looked at', 'SELECT 1'],
    ['was empty', 'DELETE FROM analytics_facts; VACUUM ANALYZE analytics_facts'],
  ])('reads pending rows at most a few times, planned when its table %s', async (_, before) => {
    const text = await statementOfATake();
    const [user] = await rowsOf<{ id: string }>(
      test,
      'INSERT INTO users (environment_id, id) VALUES ($1, gen_random_uuid()) RETURNING id',
      [world.environmentId],
    );
    await withClient(test.databaseUrl, async (client) => {
      for (const statement of before.split('; ')) await client.query(statement);
      await client.query(`PREPARE take (uuid, int) AS ${text}`);
      for (let n = 0; n < TIMES; n++) await handled(client, FACTS_OF_A_STEP);
      await fillRows(test, FILL, [world.environmentId, FACTS, user!.id]);
      expect(await handled(client, FACTS_OF_A_STEP)).toBeLessThan(5 * FACTS);
    });
  });
});
