import { Injectable } from '@nestjs/common';
import {
  asSystem,
  Database,
  isTransaction,
  scopedStatement,
  type EnvironmentId,
  type Executor,
  type Transaction,
} from '../../database/index.js';

/** An unchanged decision is not written again within this time. */
export const KEPT_FRESH = "confirmed_at >= now() - interval '1 minute'";
/**
 * Adds scopes, and takes none away: other tokens of the user may contain them, so the sweep has to find them here, cut
 * the tokens and tell of it. Until it has, the row is as old as it was.
 */
const KEEP = scopedStatement(
  'accessGrants.store',
  `INSERT INTO access_grants AS g (environment_id, user_id, scopes)
   SELECT $1, u.id, $3::text[] FROM users u WHERE u.environment_id = $1 AND u.id = $2
   ON CONFLICT (environment_id, user_id) DO UPDATE
   SET scopes = ARRAY(SELECT unnest(g.scopes) UNION SELECT unnest(excluded.scopes) ORDER BY 1), revision = g.revision + 1,
     confirmed_at = CASE WHEN g.scopes <@ excluded.scopes THEN now() ELSE g.confirmed_at END,
     swept_at = CASE WHEN g.scopes <@ excluded.scopes THEN now() ELSE g.swept_at END
   WHERE NOT excluded.scopes <@ g.scopes OR (g.scopes <@ excluded.scopes AND NOT g.${KEPT_FRESH})`,
);
const IS_IN = `EXISTS (SELECT 1 FROM sessions s WHERE s.environment_id = g.environment_id AND s.user_id = g.user_id
       AND s.revoked_at IS NULL AND s.expires_at > now())`;
/**
 * Also adds, due at once, rows of users who signed in while no rule was enabled: their tokens may live for weeks. Any
 * sign-in or refresh from then on writes a row, so it is enough to look for them for a while after a rule is enabled.
 */
const DUE = asSystem('the sweep of one instance looks after the users of every environment').statement(
  'accessGrants.listDue',
  `WITH ruled AS MATERIALIZED (
     SELECT environment_id FROM gates WHERE enabled_at > now() - interval '1 hour'
     UNION SELECT environment_id FROM allowlists WHERE enabled_at > now() - interval '1 hour'),
   added AS (
     INSERT INTO access_grants (environment_id, user_id, scopes, swept_at)
     SELECT found.environment_id, found.id, '{}', now() - interval '1 day' FROM ruled CROSS JOIN LATERAL (
       SELECT u.environment_id, u.id FROM users u
       WHERE u.environment_id = ruled.environment_id
         AND EXISTS (SELECT FROM sessions s WHERE s.environment_id = ruled.environment_id AND s.user_id = u.id
           AND s.revoked_at IS NULL AND s.expires_at > now())
         AND NOT EXISTS (SELECT FROM access_grants k WHERE k.environment_id = ruled.environment_id AND k.user_id = u.id)
       LIMIT $3 FOR KEY SHARE OF u SKIP LOCKED) AS found
     LIMIT $3
     ON CONFLICT DO NOTHING)
   SELECT g.environment_id AS "environmentId", g.user_id AS "userId", g.scopes, g.revision,
     extract(epoch FROM now() - g.confirmed_at)::float AS "unconfirmedSeconds",
     ${IS_IN} AS "isIn"
   FROM access_grants g WHERE g.swept_at < now() - make_interval(secs => $1) ORDER BY g.swept_at LIMIT $2`,
);
const SWEPT = scopedStatement(
  'accessGrants.markSwept',
  `UPDATE access_grants g SET swept_at = now(), revision = g.revision + 1,
     confirmed_at = CASE WHEN r.confirmed THEN now() ELSE g.confirmed_at END
   FROM unnest($2::uuid[], $3::integer[], $4::boolean[]) AS r (user_id, revision, confirmed)
   WHERE g.environment_id = $1 AND g.user_id = r.user_id AND g.revision = r.revision`,
);
/**
 * Locks the user first, as a sign-in does when it opens a session before getting here, to avoid deadlocks. A sign-in
 * that finds an unchanged decision writes nothing here and commits before its tokens are revoked.
 */
const DROP = scopedStatement(
  'accessGrants.withdraw',
  `WITH theirs AS (SELECT id FROM users WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE)
   UPDATE access_grants g SET scopes = $4::text[], revision = g.revision + 1, confirmed_at = now(), swept_at = now()
   FROM theirs WHERE g.environment_id = $1 AND g.user_id = theirs.id AND g.revision = $3`,
);
/** A sign-in locks the grant even if it leaves it as it is. */
const LOCK_UNUSED = scopedStatement(
  'accessGrants.lockUnused',
  `SELECT g.user_id AS "userId", g.revision FROM unnest($2::uuid[], $3::integer[]) AS r (user_id, revision)
   JOIN access_grants g ON g.environment_id = $1 AND g.user_id = r.user_id AND g.revision = r.revision
   FOR UPDATE OF g SKIP LOCKED`,
);
/** After the lock, so that this sees the sessions of sign-ins that found the grant before it. */
const FORGET = scopedStatement(
  'accessGrants.forget',
  `DELETE FROM access_grants g USING unnest($2::uuid[], $3::integer[]) AS r (user_id, revision)
   WHERE g.environment_id = $1 AND g.user_id = r.user_id AND g.revision = r.revision AND NOT ${IS_IN}`,
);

/** A grant due for the sweep. */
export interface DueGrant {
  environmentId: EnvironmentId;
  userId: string;
  scopes: string[];
  revision: number;
  /** Seconds since it was last confirmed by conclusive checks. */
  unconfirmedSeconds: number;
  /** Whether the user has a live session. */
  isIn: boolean;
}

type Seen = Pick<DueGrant, 'userId' | 'revision'>;

@Injectable()
export class AccessGrantsRepository {
  constructor(private readonly database: Database) {}

  /** In a transaction, the write is not awaited: it completes before the commit, or fails the transaction. */
  async keep(environmentId: EnvironmentId, userId: string, scopes: readonly string[], on: Executor): Promise<void> {
    const values = [environmentId, userId, inOrder(scopes)];
    if (isTransaction(on)) on.send(KEEP, values);
    else await on.execute(KEEP, values);
  }

  /**
   * Grants not checked for that long, oldest first.
   * @param mostAdded how many are added for users whom no rule has looked at yet; the next call returns them
   */
  listDue(olderThanSeconds: number, most: number, mostAdded = 0): Promise<DueGrant[]> {
    return this.database.rows<DueGrant>(DUE, [olderThanSeconds, most, mostAdded]);
  }

  /** @param grants `confirmed` unless the check was inconclusive */
  async markSwept(environmentId: EnvironmentId, grants: readonly (Seen & { confirmed: boolean })[]): Promise<void> {
    const confirmed = grants.map((grant) => grant.confirmed);
    await this.database.execute(SWEPT, [environmentId, ...columnsOf(grants), confirmed]);
  }

  /** False when somebody else has changed the grant since it was read. */
  async drop(
    environmentId: EnvironmentId,
    { userId, revision }: Seen,
    left: readonly string[],
    tx: Transaction,
  ): Promise<boolean> {
    return (await tx.execute(DROP, [environmentId, userId, revision, left])) === 1;
  }

  /** Grants of users without a session, except those who have signed in since, or are about to. */
  async forget(environmentId: EnvironmentId, grants: readonly Seen[], tx: Transaction): Promise<void> {
    const unused = await tx.rows<Seen>(LOCK_UNUSED, [environmentId, ...columnsOf(grants)]);
    if (unused.length > 0) await tx.execute(FORGET, [environmentId, ...columnsOf(unused)]);
  }
}

/** Sorted, so that equal sets of scopes compare equal. */
export const inOrder = (scopes: readonly string[]): string[] => [...scopes].sort();

const columnsOf = (grants: readonly Seen[]): [string[], number[]] => [
  grants.map(({ userId }) => userId),
  grants.map(({ revision }) => revision),
];
