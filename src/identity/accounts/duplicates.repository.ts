import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId, type Executor } from '../../database/index.js';
import type { UserPair } from '../linking/user-merges.repository.js';
import { HELD_IDENTIFIERS } from '../users/held-identifiers.js';

/** Maximum number of identifiers listed; resolving them reveals the next. */
const MOST = 100;

const LIST = scopedStatement(
  'duplicates.list',
  `SELECT format, identifier, array_agg(DISTINCT user_id ORDER BY user_id) AS "userIds" FROM ${HELD_IDENTIFIERS} AS held
   WHERE identifier IS NOT NULL GROUP BY format, identifier HAVING count(DISTINCT user_id) > 1
   ORDER BY format, identifier LIMIT ${MOST}`,
);

const LIST_SHARED = scopedStatement(
  'duplicates.listShared',
  `SELECT format, identifier FROM ${HELD_IDENTIFIERS} AS held
   WHERE identifier IS NOT NULL AND user_id = ANY ($2::uuid[])
   GROUP BY format, identifier HAVING count(DISTINCT user_id) > 1 ORDER BY format, identifier LIMIT ${MOST}`,
);

export interface SharedIdentifier {
  format: string;
  identifier: string;
}

export interface Duplicate extends SharedIdentifier {
  userIds: string[];
}

/** Finds users who share an identifier, for operators. Reads every credential of the environment. */
@Injectable()
export class DuplicatesRepository {
  constructor(private readonly database: Database) {}

  list(environmentId: EnvironmentId): Promise<Duplicate[]> {
    return this.database.rows<Duplicate>(LIST, [environmentId]);
  }

  /** The identifiers that both users hold. */
  listShared(
    environmentId: EnvironmentId,
    { userId, fromUserId }: UserPair,
    on: Executor = this.database,
  ): Promise<SharedIdentifier[]> {
    return on.rows<SharedIdentifier>(LIST_SHARED, [environmentId, [userId, fromUserId]]);
  }
}
