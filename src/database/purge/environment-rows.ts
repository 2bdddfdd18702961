import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import { asSystem, generatedStatement, type Statement } from '../statement.js';

/** Events refer to no environment, so that emitting one costs no look at it. */
const WITHOUT_REFERENCE = { table: 'events', column: 'environment_id' };

/** Foreign keys, followed as long as they carry the id of the environment; no way through them is longer than ten. */
const LIST_TABLES = asSystem('the catalogue knows every table whose rows belong to environments').statement(
  'environmentRows.listTables',
  `WITH RECURSIVE keys AS (
     SELECT c.conrelid, a.attname, c.confrelid, f.attname AS refers_to
     FROM pg_constraint c
     JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
     JOIN pg_attribute f ON f.attrelid = c.confrelid AND f.attnum = c.confkey[1]
     WHERE c.contype = 'f'
   ), reached AS (
     SELECT conrelid, attname, 1 AS depth FROM keys WHERE confrelid = 'environments'::regclass AND refers_to = 'id'
     UNION
     SELECT k.conrelid, k.attname, r.depth + 1
     FROM keys k JOIN reached r ON r.conrelid = k.confrelid AND r.attname = k.refers_to WHERE r.depth < 10
   )
   SELECT conrelid::regclass::text AS "table", quote_ident(attname) AS "column"
   FROM reached GROUP BY 1, 2 ORDER BY max(depth) DESC, 1`,
);

/** A table of environments, with the column that names the environment; both quoted as SQL wants them. */
export interface EnvironmentTable {
  table: string;
  column: string;
}

/**
 * The rows of one environment in whichever table, a batch at a time, for an environment that is going away. The tables
 * are asked for, not listed: one that a context adds is covered from its first day.
 */
@Injectable()
export class EnvironmentRows {
  private readonly removals = new Map<string, Statement>();

  constructor(private readonly database: Database) {}

  /** Those that refer to others come first, so that removing a row takes few others with it. */
  async tables(): Promise<EnvironmentTable[]> {
    return [WITHOUT_REFERENCE, ...(await this.database.rows<EnvironmentTable>(LIST_TABLES, []))];
  }

  /** @returns the number of rows removed, at most `limit`; those that refer to them go too and are not counted */
  remove({ table, column }: EnvironmentTable, environmentId: string, limit: number): Promise<number> {
    let statement = this.removals.get(table);
    if (!statement) {
      const text = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${column} = $1 LIMIT $2))`;
      this.removals.set(
        table,
        (statement = generatedStatement(`environmentRows.remove${this.removals.size}`, text, 'crossing')),
      );
    }
    return this.database.execute(statement, [environmentId, limit]);
  }
}
