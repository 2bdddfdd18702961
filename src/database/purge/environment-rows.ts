import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { Executor } from '../executor.js';
import type { EnvironmentId } from '../scope.js';
import { asSystem, generatedStatement, type Statement } from '../statement.js';

/**
 * Foreign keys, followed as long as they carry the id of the environment; no way through them is longer than ten. Events
 * refer to no environment, so that emitting one costs no look at it.
 */
const LIST_TABLES = asSystem('the catalogue knows every table whose rows belong to environments').statement(
  'environmentRows.listTables',
  `WITH RECURSIVE keys AS (
     SELECT c.conrelid, a.attname, c.confrelid, f.attname AS refers_to
     FROM pg_constraint c
     CROSS JOIN LATERAL unnest(c.conkey, c.confkey) AS k (own, theirs)
     JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.own
     JOIN pg_attribute f ON f.attrelid = c.confrelid AND f.attnum = k.theirs
     WHERE c.contype = 'f'
   ), reached AS (
     SELECT conrelid, attname, 1 AS depth FROM keys WHERE confrelid = 'environments'::regclass AND refers_to = 'id'
     UNION
     SELECT k.conrelid, k.attname, r.depth + 1
     FROM keys k JOIN reached r ON r.conrelid = k.confrelid AND r.attname = k.refers_to WHERE r.depth < 10
   ), tables AS (
     SELECT 'events'::regclass AS id, 'environment_id'::name AS tenant, 11 AS depth
     UNION ALL SELECT conrelid, attname, max(depth) FROM reached GROUP BY 1, 2
   )
   SELECT t.id::regclass::text AS "table", quote_ident(t.tenant) AS "column", (
     SELECT array_agg(quote_ident(a.attname) ORDER BY k.place)
     FROM pg_index x
     CROSS JOIN LATERAL unnest(x.indkey::int2[]) WITH ORDINALITY AS k (number, place)
     JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = k.number
     WHERE x.indrelid = t.id AND x.indisprimary) AS key
   FROM tables t ORDER BY t.depth DESC, 1`,
);

/**
 * A table of environments, with the column that names the environment and its primary key, null where it has none; quoted
 * as SQL wants them.
 */
export interface EnvironmentTable {
  table: string;
  column: string;
  key: string[] | null;
}

/** Removes rows of one table, at most `limit`, and says how many these were. */
export type Removal = (environmentId: EnvironmentId, limit: number) => Promise<number>;

/**
 * The rows of one environment in whichever table, a batch at a time, for an environment that is going away. The tables
 * are asked for, not listed: one that a context adds is covered from its first day.
 */
@Injectable()
export class EnvironmentRows {
  private readonly removals = new Map<string, Statement>();
  private readonly counts = new Map<string, Statement>();
  private readonly own = new Map<string, Removal[]>();

  constructor(private readonly database: Database) {}

  /** Those that refer to others come first, so that removing a row takes few others with it. */
  tables(): Promise<EnvironmentTable[]> {
    return this.database.rows<EnvironmentTable>(LIST_TABLES, []);
  }

  async count({ table, column }: EnvironmentTable, environmentId: EnvironmentId, on: Executor): Promise<number> {
    const text = `SELECT count(*)::int AS count FROM ${table} WHERE ${column} = $1`;
    let statement = this.counts.get(text);
    if (!statement) {
      statement = generatedStatement(`environmentRows.count${this.counts.size}`, text, 'tenant');
      this.counts.set(text, statement);
    }
    const [row] = await on.rows<{ count: number }>(statement, [environmentId]);
    return row!.count;
  }

  /** For the context of a table whose rows leave something behind when they go. What several leave behind has several. */
  removeBy(table: string, removal: Removal): void {
    this.own.set(table, [...(this.own.get(table) ?? []), removal]);
  }

  /** @returns the number of rows removed, at most `limit` where they have a key; those that refer to them go too and are not counted */
  async remove(table: EnvironmentTable, environmentId: EnvironmentId, limit: number): Promise<number> {
    const own = this.own.get(table.table);
    if (own) return inTurn(own, environmentId, limit);
    const text = removalFrom(table, limit);
    let statement = this.removals.get(text);
    if (!statement) {
      statement = generatedStatement(`environmentRows.remove${this.removals.size}`, text, 'tenant');
      this.removals.set(text, statement);
    }
    return this.database.execute(statement, [environmentId]);
  }
}

async function inTurn(removals: readonly Removal[], environmentId: EnvironmentId, limit: number): Promise<number> {
  let removed = 0;
  for (const removal of removals) if (removed < limit) removed += await removal(environmentId, limit - removed);
  return removed;
}

/**
 * By the key and the environment: the place of a row in its file says nothing on another server, and an update moves it.
 * The limit stands in the text, so that the server plans for a batch and looks its rows up one by one. Rows without a key, of
 * a table that an extension brings, go all at once.
 */
function removalFrom({ table, column, key }: EnvironmentTable, limit: number): string {
  const all = `DELETE FROM ${table} WHERE ${column} = $1`;
  if (!key) return all;
  const names = key.join(', ');
  return `${all} AND (${names}) IN (SELECT ${names} FROM ${table} WHERE ${column} = $1 LIMIT ${limit})`;
}
