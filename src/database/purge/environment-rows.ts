import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import type { Executor } from '../executor.js';
import type { EnvironmentId } from '../scope.js';
import { asSystem, generatedStatement, type Statement } from '../statement.js';

/**
 * Foreign keys, followed as long as they include the environment id; no chain is longer than ten. Events have no
 * foreign key to environments, so that emitting one needs no lookup there.
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
 * A table with rows of environments: the column that names the environment, and the primary key, null if there is none;
 * quoted for SQL.
 */
export interface EnvironmentTable {
  table: string;
  column: string;
  key: string[] | null;
}

/** For one batch of a table whose context removes it: a vendor that never answers must not keep the data of others. */
const LONGEST_REMOVAL_SECONDS = 60;

/** Removes at most `limit` rows of one table, and returns how many. */
export type Removal = (environmentId: EnvironmentId, limit: number) => Promise<number>;

/**
 * Removes the rows of a deleted environment from every table, in batches. The tables are queried from the catalogue,
 * not listed, so a context's new table is covered from the start.
 */
@Injectable()
export class EnvironmentRows {
  private readonly removals = new Map<string, Statement>();
  private readonly counts = new Map<string, Statement>();
  private readonly own = new Map<string, Removal[]>();

  constructor(private readonly database: Database) {}

  /** Referencing tables come first, so that removing a row cascades to few others. */
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

  /**
   * For contexts whose rows leave something behind when removed. A table may have several removals. A batch that takes
   * longer than a minute counts as failed: what it has removed stays removed, and the rest is left to the next run.
   */
  removeBy(table: string, removal: Removal): void {
    this.own.set(table, [...(this.own.get(table) ?? []), removal]);
  }

  /** @returns the number of rows removed, at most `limit` if they have a key; cascaded rows are not counted */
  async remove(table: EnvironmentTable, environmentId: EnvironmentId, limit: number): Promise<number> {
    const own = this.own.get(table.table);
    if (own) return inTime(table, inTurn(own, environmentId, limit));
    const text = removalFrom(table, limit);
    let statement = this.removals.get(text);
    if (!statement) {
      statement = generatedStatement(`environmentRows.remove${this.removals.size}`, text, 'tenant');
      this.removals.set(text, statement);
    }
    return this.database.execute(statement, [environmentId]);
  }
}

async function inTime({ table }: EnvironmentTable, removal: Promise<number>): Promise<number> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const error = new Error(`The rows of ${table} were not removed within ${LONGEST_REMOVAL_SECONDS} seconds.`);
  const timer = setTimeout(() => reject(error), LONGEST_REMOVAL_SECONDS * 1_000);
  try {
    return await Promise.race([removal, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function inTurn(removals: readonly Removal[], environmentId: EnvironmentId, limit: number): Promise<number> {
  let removed = 0;
  for (const removal of removals) if (removed < limit) removed += await removal(environmentId, limit - removed);
  return removed;
}

/**
 * By key and environment: a row's position in its file is meaningless on another server and changes on update.
 * The limit is part of the text, so that the planner expects a batch and uses index lookups. Rows without a key, in an
 * extension's table, are removed all at once.
 */
function removalFrom({ table, column, key }: EnvironmentTable, limit: number): string {
  const all = `DELETE FROM ${table} WHERE ${column} = $1`;
  if (!key) return all;
  const names = key.join(', ');
  return `${all} AND (${names}) IN (SELECT ${names} FROM ${table} WHERE ${column} = $1 LIMIT ${limit})`;
}
