import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { deploymentStatement, generatedStatement, type Statement } from './statement.js';

/** Every table with sealed columns says of each row under which master key it is. */
const LIST_TABLES = deploymentStatement(
  'foreignSeals.listTables',
  `SELECT c.relname::text AS name, c.oid::regclass::text AS "table"
   FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'master_key_id' AND NOT a.attisdropped
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
);

const countIn = (table: string): Statement =>
  generatedStatement('', `SELECT count(*)::int AS count FROM ${table} WHERE master_key_id::text <> $1`, 'crossing');

/** Rows of a table that nothing in the process knows, such as one of an extension that is not listed any more. */
export interface ForeignRows {
  readonly table: string;
  readonly count: number;
}

/** Sealed rows of tables that no context of the process has. Nobody moves them under another master key. */
@Injectable()
export class ForeignSeals {
  constructor(private readonly database: Database) {}

  /**
   * Those under another master key than the current one.
   *
   * @param known names of the tables that contexts have
   */
  async list(known: ReadonlySet<string>, currentKeyId: string): Promise<ForeignRows[]> {
    const found: ForeignRows[] = [];
    for (const { name, table } of await this.database.rows<{ name: string; table: string }>(LIST_TABLES, [])) {
      if (known.has(name)) continue;
      const [row] = await this.database.rows<{ count: number }>(countIn(table), [currentKeyId]);
      if (row!.count > 0) found.push({ table: name, count: row!.count });
    }
    return found;
  }
}
