import { Injectable } from '@nestjs/common';
import { Database } from '../database.js';
import { asSystem, generatedStatement, type Statement } from '../statement.js';

/** Events refer to no environment, so that emitting one costs no look at it. */
const WITHOUT_REFERENCE = { table: 'events', column: 'environment_id' };

const LIST_TABLES = asSystem('the catalogue knows every table whose rows belong to environments').statement(
  'environmentRows.listTables',
  `SELECT c.conrelid::regclass::text AS "table", quote_ident(a.attname) AS "column"
   FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
   WHERE c.contype = 'f' AND c.confrelid = 'environments'::regclass ORDER BY 1`,
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

  async tables(): Promise<EnvironmentTable[]> {
    return [WITHOUT_REFERENCE, ...(await this.database.rows<EnvironmentTable>(LIST_TABLES, []))];
  }

  /** @returns the number of rows removed, at most `limit`; those that refer to them go too and are not counted */
  remove({ table, column }: EnvironmentTable, environmentId: string, limit: number): Promise<number> {
    let statement = this.removals.get(table);
    if (!statement) {
      const text = `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${column} = $1 LIMIT $2))`;
      this.removals.set(table, (statement = generatedStatement(`purge_${this.removals.size}`, text)));
    }
    return this.database.execute(statement, [environmentId, limit]);
  }
}
