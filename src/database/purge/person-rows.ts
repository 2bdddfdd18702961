import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { EnvironmentId } from '../scope.js';
import { deploymentStatement, generatedStatement } from '../statement.js';

/**
 * Two-column foreign keys of which one column names the environment, in either order: the paths from a user to their
 * rows. Sealed and hashed values are bytes and unreadable.
 */
const LIST_KEYS = deploymentStatement(
  'personRows.listKeys',
  `SELECT c.conrelid::regclass::text AS "table", quote_ident(a.attname) AS "column",
     c.confrelid::regclass::text AS "parent", quote_ident(f.attname) AS "refersTo",
     ARRAY(SELECT quote_ident(b.attname) FROM pg_attribute b
       WHERE b.attrelid = c.conrelid AND b.attnum > 0 AND NOT b.attisdropped
         AND b.atttypid NOT IN ('bytea'::regtype, 'bytea[]'::regtype) ORDER BY b.attnum) AS columns
   FROM pg_constraint c
   JOIN pg_attribute e ON e.attrelid = c.conrelid AND e.attnum = ANY (c.conkey) AND e.attname = 'environment_id'
   JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[3 - array_position(c.conkey, e.attnum)]
   JOIN pg_attribute f ON f.attrelid = c.confrelid AND f.attnum = c.confkey[3 - array_position(c.conkey, e.attnum)]
   WHERE c.contype = 'f' AND cardinality(c.conkey) = 2 ORDER BY 1, 2`,
);

interface Key {
  table: string;
  column: string;
  parent: string;
  refersTo: string;
  /** The columns of the table that are not bytes. */
  columns: string[];
}

/** The rows of one table that are about a person, as JSON without sealed or hashed values. */
export interface PersonTable {
  table: string;
  rows: object[];
  /** Whether there are more rows than returned. */
  isCut: boolean;
}

/**
 * Everything stored about one user, found through the foreign keys that lead to users. The tables are queried from the
 * catalogue, not listed, so a context's new table is covered from the start.
 */
@Injectable()
export class PersonRows {
  constructor(private readonly database: Database) {}

  /** @param limit maximum number of rows per table */
  async list(environmentId: EnvironmentId, userId: string, limit: number): Promise<PersonTable[]> {
    const keys = await this.database.rows<Key>(LIST_KEYS, []);
    const tables: PersonTable[] = [];
    for (const [table, condition] of conditionsOf(keys)) {
      // Columns are named, since the service's role may lack the right to read hidden ones.
      const shown = keys.find((key) => key.table === table)?.columns ?? ['*'];
      const rows = `SELECT ${shown.join(', ')} FROM ${table} WHERE ${condition} LIMIT $3`;
      const statement = generatedStatement('', `SELECT to_jsonb(t) AS row FROM (${rows}) t`, 'tenant');
      const found = await this.database.rows<{ row: object }>(statement, [environmentId, userId, limit + 1]);
      const listed = found.slice(0, limit).map(({ row }) => row);
      if (listed.length > 0) tables.push({ table, rows: listed, isCut: found.length > limit });
    }
    return tables;
  }
}

/** Each reachable table with the condition on its rows: `$1` is the environment, `$2` the user. */
function conditionsOf(keys: readonly Key[]): Map<string, string> {
  const conditions = new Map([['users', 'environment_id = $1 AND id = $2']]);
  let edge = ['users'];
  while (edge.length > 0) {
    const reached = new Map<string, string[]>();
    for (const { table, column, parent, refersTo } of keys) {
      if (!edge.includes(parent) || conditions.has(table)) continue;
      const theirs = `${column} IN (SELECT ${refersTo} FROM ${parent} WHERE ${conditions.get(parent)!})`;
      reached.set(table, [...(reached.get(table) ?? []), theirs]);
    }
    for (const [table, ways] of reached) conditions.set(table, `environment_id = $1 AND (${ways.join(' OR ')})`);
    edge = [...reached.keys()];
  }
  return conditions;
}
