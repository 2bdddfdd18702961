import type { EntityTarget, ObjectLiteral } from 'typeorm';
import type { Database } from './database.js';
import { RowMapper } from './row-mapper.js';
import { generatedStatement, type Statement } from './statement.js';

interface Shape<K, C, L> {
  /** The tenant, then the other columns that identify a row. */
  readonly key: readonly K[];
  /** The sealed columns. */
  readonly columns: readonly C[];
  /** A time that is set once the row is no longer read, such as `deletedAt`. */
  readonly unless?: L;
}

/** A row with its sealed columns and the id of their master key. */
export type SealedRow<E, K extends keyof E, C extends keyof E> = Pick<E, K | C> & { masterKeyId: string };

/** A row as it was read, and its replacement. */
export interface Resealed<Row> {
  readonly was: Row;
  readonly is: Row;
}

interface Statements {
  readonly count: Statement;
  readonly list: Statement;
  readonly replace: Statement;
}

/**
 * The sealed columns of one table, across all tenants: what the rotation of the master key reads and writes, and
 * nothing else. The statements are built from the entity, so that no context needs cross-tenant access for it.
 */
export abstract class SealedColumns<
  E extends ObjectLiteral & { masterKeyId: string | null },
  K extends keyof E & string,
  C extends keyof E & string,
> {
  private prepared: Statements | undefined;

  constructor(
    private readonly database: Database,
    private readonly entity: EntityTarget<E>,
    private readonly shape: Shape<K, C, keyof E & string>,
  ) {}

  /** Rows under another master key. */
  async countOutdated(currentKeyId: string): Promise<number> {
    return (await this.database.rows<{ count: number }>(this.statements.count, [currentKeyId]))[0]!.count;
  }

  /** At most `limit` of these rows, skipping locked ones. */
  listOutdated(currentKeyId: string, limit: number): Promise<SealedRow<E, K, C>[]> {
    return this.database.rows<SealedRow<E, K, C>>(this.statements.list, [currentKeyId, limit]);
  }

  /** Writes rows that are unlocked and unchanged since they were read. @returns the number of rows written */
  replace(rows: readonly Resealed<SealedRow<E, K, C>>[]): Promise<number> {
    const { key, columns } = this.shape;
    return this.database.execute(this.statements.replace, [
      ...key.map((name) => rows.map(({ was }) => was[name])),
      ...columns.map((name) => rows.map(({ was }) => was[name])),
      ...columns.map((name) => rows.map(({ is }) => is[name])),
      rows.map(({ is }) => is.masterKeyId),
    ]);
  }

  private get statements(): Statements {
    return (this.prepared ??= this.prepare(new RowMapper(this.database.metadataOf(this.entity))));
  }

  private prepare(mapper: RowMapper): Statements {
    const { key, columns, unless } = this.shape;
    const { table } = mapper;
    const name = (verb: string): string => `${mapper.aggregate}.${verb}`;
    const isLive = unless ? ` AND ${mapper.column(unless)} IS NULL` : '';
    const selected = [...key, ...columns, 'masterKeyId'].map((one) => `${mapper.column(one)} AS "${one}"`);
    const order = key.map((one) => mapper.column(one)).join(', ');
    const given = [
      ...key.map((_, at) => `k${at}`),
      ...columns.map((_, at) => `was${at}`),
      ...columns.map((_, at) => `is${at}`),
      'master_key',
    ];
    const types = [...key, ...columns, ...columns, 'masterKeyId'].map((one) => mapper.type(one));
    const arrays = types.map((type, at) => `$${at + 1}::${type}[]`).join(', ');
    const sameRow = (alias: string): string =>
      key.map((one, at) => `t.${mapper.column(one)} = ${alias}.k${at}`).join(' AND ');
    const unchanged = columns.map((one, at) => `t.${mapper.column(one)} IS NOT DISTINCT FROM r.was${at}`).join(' AND ');
    const changes = columns.map((one, at) => `${mapper.column(one)} = h.is${at}`).join(', ');
    // In the order of the index, which returns the next rows without visiting finished ones.
    const outdated = (side: '<' | '>'): string =>
      `SELECT ${selected.join(', ')} FROM ${table} WHERE master_key_id ${side} $1${isLive}
       ORDER BY master_key_id, ${order} LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`;
    return {
      // `<>` would scan the whole index; two ranges around the current key allow an index search.
      count: generatedStatement(
        name('countSealed'),
        `SELECT count(*)::int AS count FROM ${table} WHERE (master_key_id < $1 OR master_key_id > $1)${isLive}`,
        'crossing',
      ),
      // Both ranges, since rows of one that do not open are listed each time and must not hide those of the other.
      list: generatedStatement(
        name('listSealed'),
        `SELECT * FROM (${outdated('>')}) later UNION ALL SELECT * FROM (${outdated('<')}) earlier LIMIT $2`,
        'crossing',
      ),
      replace: generatedStatement(
        name('replaceSealed'),
        `WITH h AS (
           SELECT r.* FROM unnest(${arrays}) AS r (${given.join(', ')}) JOIN ${table} t ON ${sameRow('r')}
           WHERE ${unchanged} FOR NO KEY UPDATE OF t SKIP LOCKED)
         UPDATE ${table} t SET ${changes}, master_key_id = h.master_key FROM h WHERE ${sameRow('h')}`,
        'crossing',
      ),
    };
  }
}
