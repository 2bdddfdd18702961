import { Injectable } from '@nestjs/common';
import { Database } from './database.js';
import { deploymentStatement, generatedStatement, type Statement } from './statement.js';

/** Every table with sealed columns records each row's master key. */
export const SEALED_TABLES = deploymentStatement(
  'foreignSeals.listTables',
  `SELECT c.relname::text AS name, c.oid::regclass::text AS "table"
   FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'master_key_id' AND NOT a.attisdropped
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
);

const countIn = (table: string): Statement =>
  generatedStatement('', `SELECT count(*)::int AS count FROM ${table} WHERE master_key_id::text <> $1`, 'crossing');

/** The master keys that rows of a table are under: from one to the next in its index, as there may be millions of rows. */
export const masterKeysIn = (table: string): Statement =>
  generatedStatement(
    '',
    `WITH RECURSIVE k AS (
       SELECT min(master_key_id) AS id FROM ${table}
       UNION ALL
       SELECT (SELECT min(t.master_key_id) FROM ${table} t WHERE t.master_key_id > k.id) FROM k WHERE k.id IS NOT NULL)
     SELECT id::text AS "keyId" FROM k WHERE id IS NOT NULL`,
    'crossing',
  );

/** Rows of a table that no installed module knows, such as that of an extension no longer listed. */
export interface ForeignRows {
  readonly table: string;
  readonly count: number;
}

/** Sealed rows in tables that no context of this process owns. Nothing rewraps them under another master key. */
@Injectable()
export class ForeignSeals {
  constructor(private readonly database: Database) {}

  /**
   * Rows under a master key other than the current one.
   *
   * @param known names of the tables owned by contexts
   */
  async list(known: ReadonlySet<string>, currentKeyId: string): Promise<ForeignRows[]> {
    const found: ForeignRows[] = [];
    for (const { name, table } of await this.database.rows<{ name: string; table: string }>(SEALED_TABLES, [])) {
      if (known.has(name)) continue;
      const [row] = await this.database.rows<{ count: number }>(countIn(table), [currentKeyId]);
      if (row!.count > 0) found.push({ table: name, count: row!.count });
    }
    return found;
  }
}
