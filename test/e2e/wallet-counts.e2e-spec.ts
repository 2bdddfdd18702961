import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { TestApp } from '../support/app.js';
import { fillRows } from '../support/rows.js';
import { rowsRead } from '../support/rows-read.js';
import { sharedTestApp } from '../support/shared-app.js';
import { countStatements } from '../support/statements.js';
import { World } from '../support/world.js';

interface Page {
  count: number;
  wallets: { id: string; userId: string }[];
}

/** External wallets of a user, as many as that. */
const FILL = `
  INSERT INTO wallets (environment_id, id, user_id, kind, name, chain, address, provider)
  SELECT $1, gen_random_uuid(), $2, 'external', 'a wallet', 'EVM', 'address' || i, 'browserExtension'
  FROM generate_series(1, $3::int) AS i`;

describe('the number of wallets of an environment', () => {
  let test: TestApp;
  let world: World;
  const list = async () => (await world.api.get<Page>(world.path('/wallets?limit=2'), { expect: 200 })).body;

  async function someoneWith(wallets: number): Promise<string> {
    const { body } = await world.api.post<{ user: { id: string } }>(world.path('/users'), {}, { expect: 201 });
    await fillRows(test, FILL, [world.environmentId, body.user.id, wallets]);
    // Without what it tells the planner, a table this small is read as a whole.
    await fillRows(test, 'ANALYZE wallets');
    return body.user.id;
  }

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
  });
  afterAll(() => test.close());

  it('is told with each page, without reading the others', async () => {
    await someoneWith(500);
    const { result, sent } = await countStatements(list);
    expect(result.count).toBe(500);
    expect(result.wallets).toHaveLength(2);
    const { text, values } = sent.find((statement) => statement.text.includes('FROM wallets'))!;
    expect(await rowsRead(test, text, values, 'wallets')).toBeLessThan(100);
  });

  it('follows those that are made and deleted, with their users as well', async () => {
    const before = await list();
    await someoneWith(3);
    const leaving = await someoneWith(40);
    expect((await list()).count).toBe(before.count + 43);
    await world.api.delete(world.path(`/users/${leaving}`), { expect: 204 });
    await world.api.delete(world.path(`/wallets/${before.wallets[0]!.id}`), { expect: 204 });
    expect((await list()).count).toBe(before.count + 2);
  });

  it('keeps nobody waiting for whoever is counting, whatever slots they hold', async () => {
    const before = (await list()).count;
    await fillRows(
      test,
      `INSERT INTO wallet_counts (environment_id, slot, wallets) SELECT $1, slot, 0 FROM generate_series(0, 3) AS slot
       ON CONFLICT DO NOTHING`,
      [world.environmentId],
    );
    const other = new pg.Client({ connectionString: test.databaseUrl });
    await other.connect();
    try {
      await other.query('BEGIN');
      await other.query('SELECT FROM wallet_counts WHERE environment_id = $1 FOR UPDATE', [world.environmentId]);
      await Promise.all([someoneWith(2), someoneWith(1)]);
      expect((await list()).count).toBe(before + 3);
    } finally {
      await other.end();
    }
    await Promise.all(Array.from({ length: 20 }, () => someoneWith(1)));
    expect((await list()).count).toBe(before + 23);
  });
});
