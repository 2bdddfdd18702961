import { Injectable } from '@nestjs/common';
import { scopedStatement, type EnvironmentId, type Executor } from '../../database/index.js';
import { KEPT_FRESH } from './access-grants.repository.js';

/**
 * Runs at each sign-in: tenant, lists and keys come from subqueries, so that PostgreSQL can keep one generic plan,
 * however long the lists of some tenants are.
 */
const READ = scopedStatement(
  'accessControl.readStanding',
  `SELECT ARRAY(
     SELECT allowlist_id FROM allowlist_entry_keys
     WHERE environment_id = (SELECT $1::uuid) AND allowlist_id = ANY(ARRAY(SELECT unnest($3::uuid[])))
       AND key = ANY(ARRAY(SELECT unnest($4::text[])))) AS listed,
     (SELECT scopes FROM access_grants
      WHERE environment_id = $1 AND user_id = $2 AND ${KEPT_FRESH}) AS given`,
);

/** What is known about a user who is about to be admitted. */
export interface Standing {
  /** The allowlists that the user is on, among those given. */
  listed: ReadonlySet<string>;
  /** What the user was last granted; null when the grant must be rewritten in any case. */
  given: readonly string[] | null;
}

@Injectable()
export class StandingsRepository {
  /** @param keys the keys by which an allowlist may match the user */
  async read(
    environmentId: EnvironmentId,
    userId: string,
    { allowlistIds, keys }: { allowlistIds: readonly string[]; keys: readonly string[] },
    on: Executor,
  ): Promise<Standing> {
    const values = [environmentId, userId, allowlistIds, keys];
    const [row] = await on.rows<{ listed: string[]; given: string[] | null }>(READ, values);
    return { listed: new Set(row!.listed), given: row!.given };
  }
}
