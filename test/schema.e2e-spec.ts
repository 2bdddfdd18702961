import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../src/database/data-source.js';
import { applyMigrations, migrate, pendingMigrations } from '../src/database/migrate.js';
import { MIGRATIONS } from '../src/database/migrations.js';
import { EncodingError } from '../src/database/text-encoding.js';
import { startTestApp, type TestApp } from './support/app.js';
import { differenceWith } from './support/example-tables.js';
import { createEmptyDatabase, withClient } from './support/postgres.js';

describe('the schema', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true });
  });
  afterAll(() => test.close());

  it('of a migrated empty database equals the entities', async () => {
    expect(await differenceWith(test.app.get(DataSource))).toEqual([]);
  });

  it('differs as soon as a column is missing', async () => {
    const source = test.app.get(DataSource);
    await source.query('ALTER TABLE users DROP COLUMN team');
    const difference = await differenceWith(source);
    await source.query('ALTER TABLE users ADD COLUMN team text');
    expect(difference).toEqual([expect.stringContaining('"team"')]);
  });

  it('can be taken back to nothing and brought up again', async () => {
    const { url, drop } = await createEmptyDatabase();
    const source = await new DataSource(dataSourceOptions({ url, pool: 3 })).initialize();
    await applyMigrations(source);
    for (const _ of MIGRATIONS) await source.undoLastMigration({ transaction: 'all' });
    const left = await source.query<{ table_name: string }[]>(
      "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    expect(left.map(({ table_name }) => table_name)).toEqual(['migrations']);
    await applyMigrations(source);
    expect(await pendingMigrations(source)).toEqual([]);
    await source.destroy();
    await drop();
  });

  it('is not begun in an encoding that lacks characters, and goes on in one', async () => {
    const { url, drop } = await createEmptyDatabase('LATIN1');
    const source = await new DataSource(dataSourceOptions({ url, pool: 3 })).initialize();
    await expect(applyMigrations(source)).rejects.toThrow(EncodingError);
    expect(await pendingMigrations(source)).toHaveLength(MIGRATIONS.length);
    // As earlier versions did.
    await source.runMigrations({ transaction: 'each' });
    await source.undoLastMigration({ transaction: 'all' });
    await applyMigrations(source);
    expect(await pendingMigrations(source)).toEqual([]);
    await source.destroy();
    await drop();
  });

  it('goes on where a migration was applied under the number that it had before', async () => {
    const { url, drop } = await createEmptyDatabase();
    await migrate(url);
    const source = await new DataSource(dataSourceOptions({ url, pool: 3 })).initialize();
    const columns =
      "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2";
    const before = await source.query<object[]>(columns);
    for (const [name, number] of [
      ['CreateWalletDelegations', 20261122620001],
      ['MarkSessionKeysThatWereMailed', 20261127160001],
    ] as const) {
      const renamed = `UPDATE migrations SET name = '${name}${number}', timestamp = ${number} WHERE name LIKE '${name}%'`;
      await source.query(renamed);
    }
    expect(await pendingMigrations(source)).toHaveLength(2);
    await applyMigrations(source);
    expect(await pendingMigrations(source)).toEqual([]);
    expect(await source.query<object[]>(columns)).toEqual(before);
    await source.destroy();
    await drop();
  });

  it('waits for a table that a backup holds, and keeps no reader of it waiting for long', async () => {
    const { url, drop } = await createEmptyDatabase();
    const source = await new DataSource(dataSourceOptions({ url, pool: 3 })).initialize();
    await applyMigrations(source);
    // The one that adds a column to the table of sessions, and all after it.
    const changesSessions = MIGRATIONS.findIndex(({ name }) => name.startsWith('NoteSecondFactorsOfSessions'));
    expect(changesSessions).toBeGreaterThan(0);
    for (const _ of MIGRATIONS.slice(changesSessions)) await source.undoLastMigration({ transaction: 'all' });
    await withClient(url, async (backup) => {
      await backup.query('BEGIN');
      await backup.query('LOCK TABLE sessions IN ACCESS SHARE MODE');
      const migrated = applyMigrations(source).then(
        () => 'migrated',
        (error: Error) => error.message,
      );
      const waits: number[] = [];
      const until = performance.now() + 5_000;
      while (performance.now() < until) {
        const asked = performance.now();
        await source.query('SELECT FROM sessions');
        waits.push(performance.now() - asked);
      }
      await backup.query('COMMIT');
      expect([await migrated, await pendingMigrations(source)]).toEqual(['migrated', []]);
      expect(Math.max(...waits)).toBeLessThan(2_000);
    });
    await source.destroy();
    await drop();
  });

  it('is migrated once when four instances start at the same time, five times over', async () => {
    for (let round = 0; round < 5; round++) {
      const { url, drop } = await createEmptyDatabase();
      await Promise.all([migrate(url), migrate(url), migrate(url), migrate(url)]);
      const source = await new DataSource(dataSourceOptions({ url, pool: 1 })).initialize();
      const rows = await source.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
      expect(rows.map(({ name }) => name)).toEqual(MIGRATIONS.map(({ name }) => name));
      await source.destroy();
      await drop();
    }
  });
});
