import { withClient } from './postgres.js';

export interface Reference {
  name: string;
  /** The referenced table, and the pairs of columns. */
  to: string;
  from: string[];
  key: string[];
}

/** What decides whether a table can be sharded over several servers. */
export interface Table {
  name: string;
  /** Columns of the primary key and of each unique index; an expression is `null`. */
  unique: { name: string; isPrimary: boolean; columns: (string | null)[] }[];
  references: Reference[];
}

const columns = (oid: string, numbers: string): string =>
  `array(SELECT a.attname::text FROM unnest(${numbers}) WITH ORDINALITY k (n, o)
     LEFT JOIN pg_attribute a ON a.attrelid = ${oid} AND a.attnum = k.n AND k.n > 0 ORDER BY k.o)`;

const TABLES = `
  SELECT t.relname AS name,
    (SELECT coalesce(json_agg(json_build_object('name', i.relname, 'isPrimary', x.indisprimary, 'columns', ${columns('t.oid', '(x.indkey::int2[])[0:x.indnkeyatts - 1]')})), '[]')
     FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid WHERE x.indrelid = t.oid AND x.indisunique) AS "unique",
    (SELECT coalesce(json_agg(json_build_object('name', c.conname, 'to', r.relname, 'from', ${columns('t.oid', 'c.conkey')}, 'key', ${columns('r.oid', 'c.confkey')})), '[]')
     FROM pg_constraint c JOIN pg_class r ON r.oid = c.confrelid WHERE c.conrelid = t.oid AND c.contype = 'f') AS "references"
  FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace
  WHERE n.nspname = 'public' AND t.relkind IN ('r', 'p') ORDER BY t.relname`;

/** Every table of a migrated database, from PostgreSQL's catalogue. */
export const tablesOf = (databaseUrl: string): Promise<Table[]> =>
  withClient(databaseUrl, async (client) => (await client.query(TABLES)).rows as Table[]);

const TENANTS = ['environment_id', 'organization_id'];

/** The sharding column of a table: the tenant, if the primary key begins with it. */
export function tenantColumn({ unique }: Table): string | null {
  const first = unique.find(({ isPrimary }) => isPrimary)?.columns[0];
  return first && TENANTS.includes(first) ? first : null;
}

/** What prevents tables from being sharded by tenant; those in `copied` are whole on every server. */
export function faultsOfSpreading(tables: readonly Table[], copied: ReadonlySet<string>): string[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  const isBound = (table: Table, { to, from, key }: Reference): boolean => {
    if (copied.has(to)) return true;
    const at = from.indexOf(tenantColumn(table) ?? '');
    return at >= 0 && key[at] === tenantColumn(byName.get(to)!) && key[at] === from[at];
  };
  return tables.flatMap((table) => {
    const { name, unique, references } = table;
    const leaving = references
      .filter((reference) => !isBound(table, reference))
      .map((one) => `${name}: ${one.name} leaves the tenant`);
    if (copied.has(name)) return leaving;
    const tenant = tenantColumn(table);
    if (!tenant) return [`${name}: no tenant begins its primary key`];
    const wide = unique.filter(({ columns }) => !columns.includes(tenant));
    return [...wide.map((index) => `${name}: ${index.name} is unique across tenants`), ...leaving];
  });
}
