import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { startTestApp, type TestApp } from '../support/app.js';
import { withClient } from '../support/postgres.js';
import { countStatements, type SentStatement } from '../support/statements.js';
import { World } from '../support/world.js';

const MANY = 200_000;
const FEW = 1_000;
/** What another process on the same core may add to a median. */
const NOISE_MS = 5;
const ROUNDS = 61;

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

/** Users as an import makes them, oldest first, one second apart; every thousandth is called Quintilian. */
const FILL = `
  INSERT INTO users (environment_id, id, email, alias, first_name, last_name, username, created_at, updated_at)
  SELECT $1, gen_random_uuid(), 'user' || i || '@example.com', 'alias ' || i,
    CASE WHEN i % 1000 = 0 THEN 'Quintilian' ELSE 'First' || i % 977 END, 'Last' || i % 991, 'name_' || i,
    now() - make_interval(secs => $2 - i), now()
  FROM generate_series(1, $2::int) AS i`;

describe(`the list of ${MANY} users`, () => {
  let test: TestApp;
  let large: World;
  let small: World;
  const list = (world: World, query: string) =>
    world.api.get<{ count: number; users: { id: string }[] }>(world.path(`/users${query}`), { expect: 200 });

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    [large, small] = [await World.create(test), await World.create(test)];
    await withClient(test.databaseUrl, async (client) => {
      // Built once, of all rows: filled row by row, this index would take most of the time.
      const made = await client.query<{ index: string }>("SELECT pg_get_indexdef('users_search'::regclass) AS index");
      await client.query('DROP INDEX users_search');
      await client.query(FILL, [large.environmentId, MANY]);
      await client.query(FILL, [small.environmentId, FEW]);
      await client.query(made.rows[0]!.index);
      await client.query('VACUUM ANALYZE users');
    });
  }, 180_000);
  afterAll(() => test.close());

  it('counts exactly and reads the page that is asked for', async () => {
    const { body } = await list(large, '?offset=100000&limit=3');
    expect(body.count).toBe(MANY);
    expect(body.users).toHaveLength(3);
    const rare = await list(large, '?filter[filterColumn]=firstName&filter[filterValue]=quintilian&limit=100');
    expect(rare.body.count).toBe(MANY / 1000);
    expect(rare.body.users).toHaveLength(100);
  });

  it.each([
    ['in the default order', '', 'users_by_creation'],
    ['oldest first', '?orderBy=createdAt-asc', 'users_by_creation'],
    ['from an offset of 100 000', '?offset=100000', 'users_by_creation'],
    ['with a rare text', '?filter[filterValue]=quintilian', 'users_search'],
    [
      'with a rare text in one column',
      '?filter[filterColumn]=alias&filter[filterValue]=alias%20123456',
      'users_search',
    ],
    ['with one id', '?filter[filterColumn]=id&filter[filterValue]=00000000-0000-7000-8000-000000000000', 'users_pkey'],
  ])('%s reads an index and never all users', async (_, query, index) => {
    const { sent } = await countStatements(() => list(large, query));
    const statement = sent.find(({ text }) => text.includes('users'))!;
    for (const plan of await plansOf(statement)) {
      const nodes = flatten(plan);
      expect(nodes.map((node) => node['Index Name'])).toContain(index);
      expect(
        nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']),
      ).not.toContain('users');
    }
  });

  it('would be seen to read all users, if it did', async () => {
    const text = "SELECT count(*) FROM users WHERE alias || '' = $1";
    const [plan] = await plansOf({ name: '', text, values: ['nobody'] });
    expect(flatten(plan!).map((node) => [node['Node Type'], node['Relation Name']])).toContainEqual([
      'Seq Scan',
      'users',
    ]);
  });

  it.each([
    ['the newest', ''],
    ['a rare text', '?filter[filterValue]=user777%40'],
  ])('takes at most twice the time of a list of 1 000: %s', async (_, query) => {
    const times: Record<'large' | 'small', number[]> = { large: [], small: [] };
    // In turns, so that whatever else the machine does slows both.
    for (let round = 0; round < ROUNDS; round++) {
      times.large.push(await timed(() => list(large, query)));
      times.small.push(await timed(() => list(small, query)));
    }
    expect(median(times.large)).toBeLessThanOrEqual(2 * median(times.small) + NOISE_MS);
  });

  /** The plan for these values and, where the statement is prepared, the one for any values. */
  function plansOf({ name, text, values }: Pick<SentStatement, 'name' | 'text' | 'values'>): Promise<PlanNode[]> {
    return withClient(test.databaseUrl, async (client) => {
      const literals = values.map((value) => (value === null ? 'NULL' : literal(value))).join(', ');
      await client.query(`PREPARE listed AS ${text}`);
      const plans: PlanNode[] = [];
      for (const mode of name === '' ? ['force_custom_plan'] : ['force_custom_plan', 'force_generic_plan']) {
        await client.query(`SET plan_cache_mode = ${mode}`);
        const explained = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
          `EXPLAIN (FORMAT JSON) EXECUTE listed (${literals})`,
        );
        plans.push(explained.rows[0]!['QUERY PLAN'][0]!.Plan);
      }
      return plans;
    });
  }
});

const literal = (value: unknown): string =>
  pg.escapeLiteral(Array.isArray(value) ? `{${value.map((item) => JSON.stringify(item)).join(',')}}` : String(value));

const flatten = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(flatten)];

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;
