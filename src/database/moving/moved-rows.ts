import { Injectable } from '@nestjs/common';
import type { EntityTarget, ObjectLiteral } from 'typeorm';
import { Database } from '../database.js';
import type { Executor } from '../executor.js';
import { RowMapper } from '../row-mapper.js';
import type { EnvironmentId } from '../scope.js';
import { deploymentStatement, generatedStatement, type Statement } from '../statement.js';
import type { Transaction } from '../transaction.js';

/** How rows of a table belong to a moving environment: its own rows, the environment itself, or its parents. */
export type Reach = 'rows' | 'itself' | 'project' | 'organization';

/** A column of the rows that must not exceed a column of their environment's row in another table. */
export interface MovedLimit {
  readonly column: string;
  readonly entity: EntityTarget<ObjectLiteral>;
  readonly of: string;
}

/** What moves of a table. Columns are named by entity properties. */
export interface MovedColumns {
  readonly entity: EntityTarget<ObjectLiteral>;
  readonly reach: Reach;
  /** Whether rows outlive their environment, so that the destination may still have them from an earlier stay. */
  readonly outlives: boolean;
  /** Limits the rows taken, where they may exist already; null for all. */
  readonly upTo: MovedLimit | null;
  /** A time column: rows in which it is set, such as `destroyAfter`, stay behind. */
  readonly unless: string | null;
  /** Sealed columns, read separately from the others. */
  readonly sealed: readonly string[];
  /** Columns that are not read at all. */
  readonly left: readonly string[];
}

/** A row as read: its key, its columns as the text of a JSON object, and its sealed values. */
export interface MovedRow {
  readonly key: string[];
  readonly row: string;
  readonly sealed: (Buffer | null)[];
}

interface Statements {
  readonly count: Statement;
  readonly first: Statement;
  readonly next: Statement;
}

const LIST_REFERENCES = deploymentStatement(
  'movedRows.listReferences',
  `SELECT c.conrelid::regclass::text AS "table", c.confrelid::regclass::text AS "parent"
   FROM pg_constraint c WHERE c.contype = 'f' AND c.conrelid <> c.confrelid ORDER BY 1, 2`,
);

const ORGANIZATION = '(SELECT organization_id FROM environments WHERE id = $1)';
const PROJECT = '(SELECT project_id FROM environments WHERE id = $1)';

/**
 * Reads and writes one environment's rows in any table, as JSON that PostgreSQL itself produces and parses, so that no
 * value changes on the way. The statements are built from the entities.
 */
@Injectable()
export class MovedRows {
  private readonly readers = new Map<MovedColumns['entity'], Statements>();
  private readonly writers = new Map<string, Statement>();

  constructor(private readonly database: Database) {}

  tableOf({ entity }: MovedColumns): string {
    return this.database.metadataOf(entity).tableName;
  }

  /** The columns of a table except those not read, in the order of the entity. */
  columnsOf({ entity }: MovedColumns): string[] {
    return this.database.metadataOf(entity).columns.map(({ databaseName }) => databaseName);
  }

  /** The column name of a property. */
  columnOf({ entity }: MovedColumns, property: string): string {
    return this.mapperOf(entity).column(property).slice(1, -1);
  }

  /** The columns of the primary key. */
  keyOf({ entity }: MovedColumns): string[] {
    return this.database.metadataOf(entity).primaryColumns.map(({ databaseName }) => databaseName);
  }

  /** Tables in dependency order, each after those it refers to. @throws Error on circular references */
  async inOrder(tables: readonly string[]): Promise<string[]> {
    const references = await this.database.rows<{ table: string; parent: string }>(LIST_REFERENCES, []);
    const ordered: string[] = [];
    let left = [...tables].sort();
    while (left.length > 0) {
      const waits = (table: string) => references.some((one) => one.table === table && left.includes(one.parent));
      const free = left.filter((table) => !waits(table));
      if (free.length === 0) throw new Error(`References go in a circle: ${left.join(', ')}.`);
      ordered.push(...free);
      left = left.filter((table) => !free.includes(table));
    }
    return ordered;
  }

  /** From now on everything read in the transaction comes from one snapshot. Blocks nobody. */
  openSnapshot(tx: Transaction): void {
    tx.send('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
  }

  async count(table: MovedColumns, environmentId: EnvironmentId, on: Executor = this.database): Promise<number> {
    const [row] = await on.rows<{ count: number }>(this.reader(table).count, [environmentId]);
    return row!.count;
  }

  /** At most `limit` rows after a key, in key order. */
  list(
    table: MovedColumns,
    { environmentId, after, limit }: { environmentId: EnvironmentId; after: string[] | null; limit: number },
    on: Executor,
  ): Promise<MovedRow[]> {
    const { first, next } = this.reader(table);
    return after === null
      ? on.rows<MovedRow>(first, [environmentId, limit])
      : on.rows<MovedRow>(next, [environmentId, limit, after]);
  }

  /**
   * Writes rows as they were read.
   *
   * @param rows texts of JSON objects `{ "row": … }`
   * @param patches replacement column values for each row; bytes as `\x` and hexadecimal
   * @returns the number of rows written: fewer if one is of another environment, or is shared and exists already
   */
  insert(
    table: MovedColumns,
    columns: readonly string[],
    { environmentId, rows, patches }: { environmentId: EnvironmentId; rows: readonly string[]; patches: object[] },
    tx: Transaction,
  ): Promise<number> {
    const statement = this.writer(table, columns);
    return tx.execute(statement, [environmentId, `[${rows.join(',')}]`, JSON.stringify(patches)]);
  }

  private mapperOf(entity: EntityTarget<ObjectLiteral>): RowMapper {
    return new RowMapper(this.database.metadataOf(entity));
  }

  private reader(table: MovedColumns): Statements {
    let statements = this.readers.get(table.entity);
    if (!statements) this.readers.set(table.entity, (statements = this.readerOf(table)));
    return statements;
  }

  private readerOf({ entity, reach, unless, sealed, left }: MovedColumns): Statements {
    const mapper = this.mapperOf(entity);
    const key = this.database
      .metadataOf(entity)
      .primaryColumns.map(({ propertyName }) => propertyName)
      .filter((property) => reach !== 'rows' || property !== 'environmentId');
    const names = key.map((property) => `t.${mapper.column(property)}`);
    const omitted = [...sealed, ...left].map((property) => `'${mapper.column(property).slice(1, -1)}'`);
    const bytes = sealed.map((property) => `t.${mapper.column(property)}`);
    const selected =
      `ARRAY[${names.map((name) => `${name}::text`).join(', ')}]::text[] AS key, ` +
      `(to_jsonb(t) - ARRAY[${omitted.join(', ')}]::text[])::text AS row, ARRAY[${bytes.join(', ')}]::bytea[] AS sealed`;
    const isLive = unless === null ? '' : ` AND t.${mapper.column(unless)} IS NULL`;
    const from = `FROM ${mapper.table} t WHERE ${conditionOf(mapper, reach)}${isLive}`;
    const order = names.length > 0 ? ` ORDER BY ${names.join(', ')}` : '';
    const after = key.map((property, at) => `($3::text[])[${at + 1}]::${mapper.type(property)}`);
    // A row that is the only one of its environment has no successor.
    const isNext = names.length > 0 ? ` AND (${names.join(', ')}) > (${after.join(', ')})` : ' AND $3::text[] IS NULL';
    const name = (verb: string): string => `${mapper.aggregate}.${verb}${this.readers.size}`;
    return {
      count: generatedStatement(name('countMoved'), `SELECT count(*)::int AS count ${from}`, 'tenant'),
      first: generatedStatement(name('listMoved'), `SELECT ${selected} ${from}${order} LIMIT $2`, 'tenant'),
      next: generatedStatement(name('listMovedNext'), `SELECT ${selected} ${from}${isNext}${order} LIMIT $2`, 'tenant'),
    };
  }

  private limitOf({ entity, upTo }: MovedColumns): string {
    if (!upTo) return '';
    const limit = this.mapperOf(upTo.entity);
    return (
      ` AND r.${this.mapperOf(entity).column(upTo.column)} <= (SELECT l.${limit.column(upTo.of)} FROM ${limit.table} l` +
      ` WHERE l.environment_id = r.environment_id)`
    );
  }

  private writer(table: MovedColumns, columns: readonly string[]): Statement {
    const { entity, reach } = table;
    const mapper = this.mapperOf(entity);
    const known = this.columnsOf(table).filter((column) => columns.includes(column));
    const shape = `${mapper.table}:${known.join()}`;
    let statement = this.writers.get(shape);
    if (!statement) {
      const scope =
        reach === 'rows' ? 'r.environment_id = $1' : reach === 'itself' ? 'r.id = $1' : '$1::uuid IS NOT NULL';
      const conflict = isShared(table) ? ' ON CONFLICT DO NOTHING' : '';
      statement = generatedStatement(
        `${mapper.aggregate}.insertMoved${this.writers.size}`,
        `INSERT INTO ${mapper.table} (${known.map((one) => `"${one}"`).join(', ')})
         SELECT ${known.map((one) => `r."${one}"`).join(', ')}
         FROM ROWS FROM (jsonb_array_elements($2::jsonb), jsonb_array_elements($3::jsonb)) AS z (line, patch)
         CROSS JOIN LATERAL jsonb_populate_record(NULL::${mapper.table}, (z.line -> 'row') || z.patch) AS r
         WHERE ${scope}${this.limitOf(table)}${conflict}`,
        reach === 'rows' || reach === 'itself' ? 'tenant' : 'crossing',
      );
      this.writers.set(shape, statement);
    }
    return statement;
  }
}

/** Whether rows may exist already: parents shared by several environments, and rows from an earlier stay. */
export const isShared = ({ reach, outlives }: Pick<MovedColumns, 'reach' | 'outlives'>): boolean =>
  outlives || reach === 'project' || reach === 'organization';

function conditionOf(mapper: RowMapper, reach: Reach): string {
  switch (reach) {
    case 'rows':
      return 't.environment_id = $1';
    case 'itself':
      return 't.id = $1';
    case 'project':
      return `t.id = ${PROJECT}`;
    case 'organization':
      return `t.${mapper.has('organizationId') ? 'organization_id' : 'id'} = ${ORGANIZATION}`;
  }
}
