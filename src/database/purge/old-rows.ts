import { Injectable } from '@nestjs/common';
import type { EntityTarget, ObjectLiteral } from 'typeorm';
import { Database } from '../database.js';
import { RowMapper } from '../row-mapper.js';
import { generatedStatement, type Statement } from '../statement.js';

/** Rows of one table that are old, whosever they are. */
export interface OldRows {
  readonly entity: EntityTarget<ObjectLiteral>;
  /** The time they count from, such as `expiresAt`; rows without one stay. */
  readonly since: string;
  /** For how long they are kept beyond it. */
  readonly keptSeconds: number;
}

/** @param since the property that says when a row is over; an index begins with it */
export const oldRows = <E extends ObjectLiteral>(
  entity: new () => E,
  since: keyof E & string,
  { keptSeconds = 0 } = {},
): OldRows => ({ entity, since, keptSeconds });

/** Removes old rows of any table. Age makes no difference between tenants, and nothing of a row is read but its key. */
@Injectable()
export class OldRowsRepository {
  private readonly removals = new Map<OldRows, Statement>();

  constructor(private readonly database: Database) {}

  /** The oldest, in a statement that commits by itself and passes over rows that somebody holds. @returns how many */
  remove(old: OldRows, limit: number): Promise<number> {
    let statement = this.removals.get(old);
    if (!statement) this.removals.set(old, (statement = this.removal(old)));
    return this.database.execute(statement, [limit, old.keptSeconds]);
  }

  private removal({ entity, since }: OldRows): Statement {
    const metadata = this.database.metadataOf(entity);
    const mapper = new RowMapper(metadata);
    const key = metadata.primaryColumns.map(({ propertyName }) => mapper.column(propertyName)).join(', ');
    const column = mapper.column(since);
    return generatedStatement(
      `${mapper.aggregate}.purge${this.removals.size}`,
      `DELETE FROM ${mapper.table} WHERE (${key}) IN (
         SELECT ${key} FROM ${mapper.table} WHERE ${column} <= now() - $2 * interval '1 second'
         ORDER BY ${column} LIMIT $1 FOR UPDATE SKIP LOCKED)`,
      'crossing',
    );
  }
}
