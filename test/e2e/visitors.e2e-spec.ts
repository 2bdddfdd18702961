import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getAddress } from 'viem';
import { MOST_OF_A_DAY } from '../../src/identity/visits/visitors.repository.js';
import { VisitorsPurge } from '../../src/identity/visits/visitors-purge.job.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { withClient } from '../support/postgres.js';
import { rowsOf } from '../support/rows.js';
import { countStatements } from '../support/statements.js';
import { newEmail, World } from '../support/world.js';

interface Page {
  count: number;
  visitors: { id: string; address: string; chain: string; walletName: string; projectEnvironmentId: string }[];
}
interface Counts {
  users: { count: number; uniquePastMonth: number };
  visitors: { count: number; uniquePastMonth: number };
}

/** A page that read all of them would pass its bound many times over. */
const MANY = 50_000;
const FILL = `
  INSERT INTO visitors (environment_id, id, address, chain, provider, wallet_name, created_at, last_visit)
  SELECT $1, gen_random_uuid(), '0x' || lpad(to_hex(i), 40, '0'), CASE WHEN i % 10 = 0 THEN 'SOL' ELSE 'EVM' END,
    'browserExtension', 'wallet', now() - make_interval(secs => $2 - i), now() - make_interval(secs => ($2 - i) * 20)
  FROM generate_series(1, $2::int) AS i`;

describe('visitors', () => {
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    world = await World.create(test);
  });
  afterAll(() => test.close());

  const list = async (of: World, query = ''): Promise<Page> =>
    (await of.api.get<Page>(of.path(`/visitors${query}`), { expect: 200 })).body;
  const counts = async (of: World): Promise<Counts> =>
    (await of.api.get<Counts>(of.path('/statistics/visitors'), { expect: 200 })).body;
  const visit = (of: World, address: string, chain = 'EVM', walletName = 'a wallet'): Promise<unknown> => {
    const body = { address, chain, provider: 'browserExtension', walletName };
    return of.anonymous.post(of.sdk('/connect'), body, { expect: 202 });
  };
  /** A visitor in the spelling of an earlier release, which kept what clients sent. */
  const fill = (of: World, address: string, chain: string): Promise<object[]> =>
    rowsOf(
      test,
      `INSERT INTO visitors (environment_id, id, address, chain, provider, wallet_name)
       VALUES ($1, gen_random_uuid(), $2, $3, 'browserExtension', 'a wallet')`,
      [of.environmentId, address, chain],
    );
  const addresses = ({ visitors }: Page): string[] => visitors.map(({ address }) => address);

  it('are listed newest first, filtered by id, address and chain, and counted with their filter', async () => {
    const [first, second, third] = ['0xAAAA', 'So1anaAddress', '0xbbbb'] as const;
    await visit(world, first);
    await visit(world, second, 'SOL');
    await visit(world, third);
    await visit(world, third);
    const all = await list(world);
    expect([all.count, addresses(all)]).toEqual([3, [third, second, first]]);
    expect(all.visitors[0]).toEqual({
      id: expect.any(String),
      address: third,
      chain: 'EVM',
      walletName: 'a wallet',
      provider: 'browserExtension',
      createdAt: expect.any(String),
      projectEnvironmentId: world.environmentId,
    });
    const ask = async (query: string): Promise<[number, string[]]> => {
      const page = await list(world, query);
      return [page.count, addresses(page)];
    };
    expect(await ask('?orderBy=createdAt-asc&limit=2')).toEqual([3, [first, second]]);
    expect(await ask('?offset=2')).toEqual([3, [first]]);
    expect(await ask('?offset=9')).toEqual([3, []]);
    expect(await ask('?filter[chain]=SOL')).toEqual([1, [second]]);
    expect(await ask('?filter[filterValue]=0xAaAa')).toEqual([1, [first]]);
    expect(await ask('?filter[filterValue]=0xAaAa&filter[chain]=SOL')).toEqual([0, []]);
    expect(await ask(`?filter[filterColumn]=id&filter[filterValue]=${all.visitors[1]!.id}`)).toEqual([1, [second]]);
    expect(await ask('?filter[filterColumn]=id&filter[filterValue]=x')).toEqual([0, []]);
    await world.api.get(world.path('/visitors?orderBy=address-asc'), { expect: 400 });
    await world.api.get(world.path('/visitors?limit=101'), { expect: 400 });
  });

  it('that are new are not recorded beyond those of a day, and those who were here are', async () => {
    const own = await World.create(test);
    await visit(own, '0xKnown');
    await rowsOf(
      test,
      `INSERT INTO visit_days (environment_id, kind, day, slot, people)
       VALUES ($1, 'visitor', (now() AT TIME ZONE 'UTC')::date, 99, ${MOST_OF_A_DAY - 1})`,
      [own.environmentId],
    );
    await visit(own, '0xNew');
    await visit(own, '0xKnown');
    expect(addresses(await list(own))).toEqual(['0xKnown']);
    const visits = await rowsOf<{ visits: number }>(test, 'SELECT visits FROM visitors WHERE environment_id = $1', [
      own.environmentId,
    ]);
    expect(visits).toEqual([{ visits: 2 }]);
    await rowsOf(test, 'DELETE FROM visit_days WHERE environment_id = $1 AND slot = 99', [own.environmentId]);
    await visit(own, '0xNew');
    expect((await list(own)).count).toBe(2);
  });

  it('are of one chain by either of its names', async () => {
    const own = await World.create(test);
    await visit(own, '0xaaaa', 'ETH');
    await visit(own, 'So1anaAddress', 'SOL');
    await visit(own, '0xbbbb', 'EVM');
    for (const chain of ['EVM', 'ETH']) {
      const newest = await list(own, `?filter[chain]=${chain}`);
      expect([newest.count, addresses(newest)]).toEqual([2, ['0xbbbb', '0xaaaa']]);
      const oldest = await list(own, `?filter[chain]=${chain}&orderBy=createdAt-asc&offset=1&limit=1`);
      expect([oldest.count, addresses(oldest)]).toEqual([2, ['0xbbbb']]);
      const found = await list(own, `?filter[chain]=${chain}&filter[filterValue]=0xaaaa`);
      expect([found.count, addresses(found)]).toEqual([1, ['0xaaaa']]);
    }
  });

  it('are one for each wallet, however its client spells the address and the chain', async () => {
    const own = await World.create(test);
    const [checksummed, older] = [getAddress(`0x${'a'.repeat(40)}`), `0x${'b'.repeat(40)}`] as const;
    await fill(own, older, 'ETH');
    await Promise.all(
      [checksummed, checksummed.toLowerCase(), checksummed, checksummed.toLowerCase()].map((address, n) =>
        visit(own, address, n < 2 ? 'EVM' : 'ETH'),
      ),
    );
    await visit(own, getAddress(older));
    await visit(own, older);
    // Case distinguishes the addresses of other chains.
    await visit(own, 'So1ana', 'SOL');
    await visit(own, 'so1ana', 'SOL');
    const { count, visitors } = await list(own, '?orderBy=createdAt-asc');
    const shown = visitors.map(({ address, chain }) => [address, chain]);
    expect([count, shown]).toEqual([
      4,
      [
        [older, 'ETH'],
        [checksummed, 'EVM'],
        ['So1ana', 'SOL'],
        ['so1ana', 'SOL'],
      ],
    ]);
    const visits = await rowsOf<{ visits: number }>(
      test,
      'SELECT visits FROM visitors WHERE environment_id = $1 ORDER BY created_at',
      [own.environmentId],
    );
    expect(visits.map((row) => row.visits)).toEqual([3, 4, 1, 1]);
    expect((await counts(own)).visitors).toEqual({ count: 4, uniquePastMonth: 4 });
  });

  it('and users of the last thirty days are counted, each of them once', async () => {
    const own = await World.create(test);
    const { email } = await own.signIn(newEmail());
    await own.signIn(email);
    await own.api.post(own.path('/users'), { email: newEmail() }, { expect: 201 });
    await Promise.all(Array.from({ length: 9 }, (_, n) => visit(own, `0x${n}`)));
    await visit(own, '0x1');
    const shown = { users: { count: 2, uniquePastMonth: 1 }, visitors: { count: 9, uniquePastMonth: 9 } };
    expect(await counts(own)).toEqual(shown);

    const age = (table: string, days: number, condition: string): Promise<object[]> =>
      rowsOf(
        test,
        `UPDATE ${table} SET last_visit = now() - make_interval(days => $2) WHERE environment_id = $1 AND ${condition}`,
        [own.environmentId, days],
      );
    await age('visitors', 29, "address < '0x3'");
    await age('visitors', 31, "address >= '0x3'");
    await age('users', 31, 'last_visit IS NOT NULL');
    expect(await counts(own)).toEqual({
      users: { count: 2, uniquePastMonth: 0 },
      visitors: { count: 9, uniquePastMonth: 3 },
    });
    await visit(own, '0x5');
    expect((await counts(own)).visitors).toEqual({ count: 9, uniquePastMonth: 4 });
  });

  it('are forgotten a year after they came last, and the days with them', async () => {
    const own = await World.create(test);
    await visit(own, '0xold');
    await visit(own, '0xnew');
    await visit(own, '0xlate');
    await rowsOf(test, "UPDATE visitors SET last_visit = now() - interval '366 days' WHERE address = '0xold'", []);
    // Somebody who has come for years, and was here some weeks ago.
    await rowsOf(
      test,
      `UPDATE visitors SET created_at = now() - interval '3 years', last_visit = now() - interval '29 days'
       WHERE environment_id = $1 AND address = '0xlate'`,
      [own.environmentId],
    );
    await rowsOf(test, "UPDATE visit_days SET day = day - 50 WHERE environment_id = $1 AND kind = 'user'", [
      own.environmentId,
    ]);
    expect(await test.app.get(VisitorsPurge).run()).toBeGreaterThan(0);
    expect(addresses(await list(own))).toEqual(['0xnew', '0xlate']);
    expect((await counts(own)).visitors).toEqual({ count: 2, uniquePastMonth: 2 });
    // A day leaves the count of a month with the visitor who comes again, and must be there for that.
    await rowsOf(test, 'UPDATE visit_days SET day = day - 11 WHERE environment_id = $1 AND day < current_date - 20', [
      own.environmentId,
    ]);
    await test.app.get(VisitorsPurge).run();
    const days = 'SELECT count(*)::int AS days FROM visit_days WHERE environment_id = $1 AND day < current_date - 20';
    expect(await rowsOf(test, days, [own.environmentId])).toEqual([{ days: 1 }]);
  });

  it('of an environment go with it, and leave no count behind', async () => {
    const own = await World.create(test);
    await own.signIn(newEmail());
    await visit(own, '0xgone');
    await withClient(test.databaseUrl, async (client) => {
      await client.query('DELETE FROM visitors WHERE environment_id = $1', [own.environmentId]);
      await client.query('DELETE FROM users WHERE environment_id = $1', [own.environmentId]);
    });
    expect(await counts(own)).toEqual({
      users: { count: 0, uniquePastMonth: 0 },
      visitors: { count: 0, uniquePastMonth: 0 },
    });
  });

  it(`cost the same among ${MANY}: pages, filters and counts read indexes and slots`, async () => {
    const own = await World.create(test);
    await withClient(test.databaseUrl, async (client) => {
      await client.query(FILL, [own.environmentId, MANY]);
      await client.query('VACUUM ANALYZE visitors');
    });
    expect((await list(own, '?limit=1')).count).toBe(MANY);
    expect((await list(own, '?limit=1&filter[chain]=SOL')).count).toBe(MANY / 10);
    expect((await counts(own)).visitors).toEqual({ count: MANY, uniquePastMonth: expect.any(Number) });
    const queries = ['/visitors', '/visitors?filter[chain]=SOL', '/visitors?filter[filterValue]=0x00ab'];
    for (const path of [...queries, '/visitors?orderBy=createdAt-asc', '/statistics/visitors']) {
      const { sent } = await countStatements(() => own.api.get(own.path(path), { expect: 200 }));
      const statement = sent.find(({ name }) => name.startsWith('visitors.'))!;
      const [plan] = await planOf(statement.text, statement.values);
      expect([path, rowsRead(plan!) < 3_000]).toEqual([path, true]);
    }
    const [whole] = await planOf('SELECT count(*) FROM visitors WHERE environment_id = $1', [own.environmentId]);
    expect(rowsRead(whole!)).toBeGreaterThanOrEqual(MANY);
  }, 120_000);

  interface Plan {
    'Actual Rows': number;
    'Actual Loops': number;
    Plans?: Plan[];
  }

  /** Rows that the parts of a plan handed on, all together. */
  const rowsRead = (plan: Plan): number =>
    plan['Actual Rows'] * plan['Actual Loops'] + (plan.Plans ?? []).reduce((sum, part) => sum + rowsRead(part), 0);

  const planOf = (text: string, values: readonly unknown[]): Promise<Plan[]> =>
    withClient(test.databaseUrl, async (client) => {
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        [...values],
      );
      return rows[0]!['QUERY PLAN'].map(({ Plan: plan }) => plan);
    });
});
