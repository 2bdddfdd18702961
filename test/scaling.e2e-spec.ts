import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { countStatements, DEPLOYMENT_TABLES, statementNames } from '../src/database/statement.js';
import { loadClasses } from './support/architecture/load-modules.js';
import { readSources } from './support/architecture/source-file.js';
import { createDatabase } from './support/postgres.js';
import { faultsOfSpreading, tablesOf, type Table } from './support/tables.js';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/scaling.md'), 'utf8');

/** Tables that stand whole on every server, as docs/scaling.md lists them with their reasons. */
const copied = new Set([...page.matchAll(/^\| `([a-z_]+)` +\|/gm)].map(([, name]) => name!));

describe('a service that outgrows one database', () => {
  let tables: Table[];
  const table = (name: string): Table => tables.find((one) => one.name === name)!;

  beforeAll(async () => {
    const database = await createDatabase();
    tables = await tablesOf(database.url).finally(() => database.drop());
  });

  it('has tables that can be spread by their tenant: keys and unique indexes contain it, references stay inside it', () => {
    expect(faultsOfSpreading(tables, copied)).toEqual([]);
    expect(tables.length - copied.size).toBeGreaterThan(70);
  });

  it('copies no table that could be spread, and no table that there is not', () => {
    const names = new Set(tables.map(({ name }) => name));
    expect([...copied].filter((name) => !names.has(name))).toEqual([]);
    const needless = [...copied].filter((name) => {
      const others = new Set([...copied].filter((other) => other !== name));
      return faultsOfSpreading(tables, others).length === 0;
    });
    expect(needless).toEqual([]);
    expect(DEPLOYMENT_TABLES.filter((name) => !copied.has(name))).toEqual([]);
  });

  it('would be told of a key, an index and a reference that leave the tenant', () => {
    const users = table('users');
    const index = { name: 'users_of_all', isPrimary: false, columns: ['email'] };
    const key = { name: 'users_pkey', isPrimary: true, columns: ['id'] };
    const reference = { name: 'users_wallet', to: 'wallets', from: ['wallet_id'], key: ['id'] };
    const planted = (change: Partial<Table>): string[] =>
      faultsOfSpreading([...tables.filter(({ name }) => name !== 'users'), { ...users, ...change }], copied);
    expect(planted({ unique: [...users.unique, index] })).toEqual(['users: users_of_all is unique across tenants']);
    expect(planted({ references: [...users.references, reference] })).toEqual([
      'users: users_wallet leaves the tenant',
    ]);
    expect(planted({ unique: [key] })).toContain('users: no tenant begins its primary key');
  });

  it('marks every statement as one of a tenant or as one that crosses them, of which there are few', async () => {
    await loadClasses(
      root,
      readSources(root, 'src').filter(({ path }) => path.endsWith('.repository.ts')),
    );
    const counts = countStatements();
    const sum = Object.values(counts).reduce((total, count) => total + count, 0);
    expect(sum).toBe(statementNames().length);
    expect(counts.tenant).toBeGreaterThan(200);
    expect(counts.crossing).toBeLessThanOrEqual(45);
  });
});
