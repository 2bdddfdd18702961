import { afterAll, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { createDatabase, withClient, workerDatabase } from './support/postgres.js';
import type { TestDatabase } from './support/postgres.js';
import { redisUrl } from './support/redis.js';

const tables = (database: TestDatabase): Promise<number> =>
  withClient(database.url, async (client) => {
    const found = await client.query<{ count: number }>(
      "SELECT count(*)::int FROM information_schema.tables WHERE table_schema = 'public'",
    );
    return found.rows[0]?.count ?? 0;
  });

describe('databases of the tests', () => {
  const made: TestDatabase[] = [];
  afterAll(() => Promise.all(made.map((database) => database.drop())));

  test('copies made at the same time are migrated and separate', async () => {
    made.push(...(await Promise.all([createDatabase(), createDatabase(), createDatabase()])));
    const [first, second] = made as [TestDatabase, TestDatabase];
    expect(new Set(made.map(({ url }) => url)).size).toBe(3);
    expect(await tables(first)).toBeGreaterThan(0);
    await withClient(first.url, (client) => client.query('CREATE TABLE only_in_first ()'));
    expect((await tables(first)) - (await tables(second))).toBe(1);
  });

  test('one that is dropped is gone, open connections or not', async () => {
    const database = await createDatabase();
    const left = withClient(database.url, async (client) => {
      client.on('error', () => undefined);
      await database.drop();
      await client.query('SELECT 1');
    });
    await expect(left).rejects.toThrow();
    await expect(tables(database)).rejects.toMatchObject({ code: '3D000' });
  });

  test('the database of a worker is the same for each caller', async () => {
    const [first, second] = await Promise.all([workerDatabase(), workerDatabase()]);
    expect(first.url).toBe(second.url);
    expect(await tables(first)).toBeGreaterThan(0);
  });
});

test('each worker has a Redis database of its own', async () => {
  expect(redisUrl(1)).not.toBe(redisUrl(2));
  const [mine, other] = [new Redis(redisUrl(1)), new Redis(redisUrl(2))];
  try {
    await mine.set('test-services', 'mine');
    expect(await other.get('test-services')).toBeNull();
    expect(await mine.getdel('test-services')).toBe('mine');
  } finally {
    mine.disconnect();
    other.disconnect();
  }
});
