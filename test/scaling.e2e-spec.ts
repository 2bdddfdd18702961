import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { mintEnvironmentId } from '../src/auth/index.js';
import { EnvironmentRows, type Database } from '../src/database/index.js';
import { countStatements, DEPLOYMENT_TABLES, listStatements, type Statement } from '../src/database/statement.js';
import { loadClasses } from './support/architecture/load-modules.js';
import { readSources } from './support/architecture/source-file.js';
import { STATEMENTS_OF_EXAMPLES, STATEMENTS_OF_SUITES } from './support/names-of-suites.js';
import { createDatabase, withClient } from './support/postgres.js';
import { faultsOfSpreading, tablesOf, type Table } from './support/tables.js';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/scaling.md'), 'utf8');

const partOf = (heading: string): string => page.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
/** The first column of a table. */
const namesIn = (text: string): string[] => [...text.matchAll(/^\| `([\w.]+)` +\|/gm)].map(([, name]) => name!);

/** Tables that stand whole on every server, with their reasons. */
const copied = new Set(namesIn(partOf('Tables that are copied')));
/** What a distributed server refuses, as the page lists it. */
const told = partOf('What has to change first').split(/^(?=\*\*)/m);
const LOCKS = /\bFOR (?:NO KEY UPDATE|UPDATE|SHARE|KEY SHARE)\b/;
const crosses = ({ reach }: Statement): boolean => reach === 'crossing' || reach === 'due rows';
/** Those of the service: suites and examples that this worker has run declared their own. */
const listOwn = (): Statement[] =>
  listStatements().filter(({ name }) => !STATEMENTS_OF_EXAMPLES.has(name) && !STATEMENTS_OF_SUITES.has(name));
const findLocks = (statements: readonly Statement[]): string[] =>
  statements.flatMap((one) => (crosses(one) && LOCKS.test(one.text) ? [one.name] : [])).sort();
const findRecursive = (statements: readonly Statement[]): string[] =>
  statements.flatMap((one) => (crosses(one) && one.text.includes('RECURSIVE') ? [one.name] : [])).sort();

const loadStatements = (): Promise<unknown> =>
  loadClasses(
    root,
    readSources(root, 'src').filter(({ path }) => path.endsWith('.repository.ts') || path.endsWith('-rows.ts')),
  );

describe('a service that outgrows one database', () => {
  let tables: Table[];
  let triggers: string[];
  const table = (name: string): Table => tables.find((one) => one.name === name)!;

  beforeAll(async () => {
    const database = await createDatabase();
    try {
      tables = await tablesOf(database.url);
      const { rows } = await withClient(database.url, (client) =>
        client.query<{ name: string }>(
          `SELECT tgname || ' ' || tgrelid::regclass AS name FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`,
        ),
      );
      triggers = rows.map(({ name }) => name);
    } finally {
      await database.drop();
    }
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
    await loadStatements();
    const counts = countStatements();
    const sum = Object.values(counts).reduce((total, count) => total + count, 0);
    expect(sum).toBe(listStatements().length);
    expect(counts.tenant).toBeGreaterThan(200);
    expect(listOwn().filter(({ reach }) => reach === 'crossing').length).toBeLessThanOrEqual(43);
  });

  it('names every trigger, and every statement across tenants that holds rows or goes in a circle', async () => {
    await loadStatements();
    const listed = [...told[1]!.matchAll(/^\| `(\w+)` +\| `(\w+)`/gm)].map(([, name, on]) => `${name} ${on}`);
    expect(listed.sort()).toEqual([...triggers].sort());
    expect(namesIn(told[2]!).sort()).toEqual(findLocks(listOwn()));
    const recursive = findRecursive(listOwn());
    expect(recursive).toEqual([
      'analyticsFacts.listEnvironments',
      'audit.listUnowned',
      'environmentRows.listTables',
      'keyLedger.listHeadless',
      'webhookMessages.claim',
    ]);
    for (const name of recursive) expect(told[3]).toContain(`\`${name}\``);
    // One that is added and not told of is found.
    const planted = { name: 'a.b', reach: 'crossing', text: 'WITH RECURSIVE … FOR UPDATE' } as Statement;
    expect([findLocks([planted]), findRecursive([planted])]).toEqual([['a.b'], ['a.b']]);
  });

  it('makes statements across tenants of entities in few places, each of which the page names', () => {
    const makers = readSources(root, 'src').filter(({ text }) => /generatedStatement\([^;]*'crossing'/.test(text));
    expect(makers.map(({ path }) => path).sort()).toEqual([
      'src/database/foreign-seals.ts',
      'src/database/moving/moved-rows.ts',
      'src/database/outbox/left-events.repository.ts',
      'src/database/purge/old-rows.ts',
      'src/database/scoped.repository.ts',
      'src/database/sealed-columns.ts',
    ]);
    for (const { path } of makers) expect(page).toContain(`\`${path}\``);
  });

  it('removes what is left of an environment by key and environment, and nowhere by the place of a row', async () => {
    const sent: Statement[] = [];
    const database = { execute: (statement: Statement) => Promise.resolve(sent.push(statement)) };
    const rows = new EnvironmentRows(database as unknown as Database);
    const users = { table: 'users', column: 'environment_id', key: ['environment_id', 'id'] };
    await rows.remove(users, mintEnvironmentId('e'), 5);
    expect(sent.map(({ name, reach }) => [name, reach])).toEqual([['environmentRows.remove0', 'tenant']]);
    expect(sent[0]!.text.replace(/\s+/g, ' ')).toBe(
      'DELETE FROM users WHERE environment_id = $1 AND (environment_id, id) IN (' +
        'SELECT environment_id, id FROM users WHERE environment_id = $1 LIMIT 5)',
    );
    const byPlace = (text: string): boolean => /\bctid\b/.test(text);
    expect(readSources(root, 'src').filter(({ text }) => byPlace(text))).toEqual([]);
    expect(byPlace('DELETE FROM users WHERE ctid = ANY ($1)')).toBe(true);
  });
});
