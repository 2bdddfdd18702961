import { Injectable } from '@nestjs/common';
import type { EntityTarget, ObjectLiteral } from 'typeorm';
import { Database } from '../database.js';
import { RowMapper } from '../row-mapper.js';
import { generatedStatement, type Statement } from '../statement.js';

/** Expired rows of one table, of all tenants. */
export interface OldRows {
  readonly entity: EntityTarget<ObjectLiteral>;
  /** The time that their age is counted from, such as `expiresAt`; rows without one are kept. */
  readonly since: string;
  /** How long they are kept after that time. */
  readonly keptSeconds: number;
}

/** @param since the property with the time at which a row expires; it must be the first column of an index */
export const oldRows = <E extends ObjectLiteral>(
  entity: new () => E,
  since: keyof E & string,
  { keptSeconds = 0 } = {},
): OldRows => ({ entity, since, keptSeconds });

/** Removes old rows of any table. Age is independent of tenants, and only the key of a row is read. */
@Injectable()
export class OldRowsRepository {
  private readonly removals = new Map<OldRows, Statement>();

  constructor(private readonly database: Database) {}

  /** Removes the oldest rows in an auto-committed statement that skips locked rows. @returns how many */
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
