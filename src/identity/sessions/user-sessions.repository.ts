import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';
import type { IdentifierKey } from '../credentials/identifier-key.js';

/**
 * One row per ended session, one empty row if the user has none, no row if there is no such user. In id order, so that
 * concurrent calls that end a user's sessions do not deadlock.
 */
const REVOKE = scopedStatement(
  'users.revokeSessions',
  `WITH theirs AS (
     SELECT id FROM sessions
     WHERE environment_id = $1 AND user_id = $2 AND revoked_at IS NULL AND expires_at > now() ORDER BY id FOR UPDATE),
   ended AS (
     UPDATE sessions SET revoked_at = now() WHERE environment_id = $1 AND id IN (SELECT id FROM theirs)
     RETURNING id, user_id, created_at, ip_address, user_agent, revoked_at
   )
   SELECT s.id, s.user_id AS "userId", s.created_at AS "createdAt", s.ip_address AS "ipAddress",
     s.user_agent AS "userAgent", s.revoked_at AS "revokedAt"
   FROM users u LEFT JOIN ended s ON true WHERE u.environment_id = $1 AND u.id = $2`,
);

const REVOKE_OF_HOLDERS = scopedStatement(
  'sessions.revokeOfHolders',
  `WITH theirs AS (
     SELECT id FROM sessions
     WHERE environment_id = $1 AND revoked_at IS NULL AND expires_at > now() AND user_id IN (
       SELECT k.user_id FROM identifier_claims k
       JOIN unnest($2::text[], $3::text[]) AS proven (kind, identifier)
         ON k.environment_id = $1 AND k.kind = proven.kind AND k.identifier = proven.identifier
       WHERE k.proven_at IS NOT NULL)
     ORDER BY id FOR UPDATE)
   UPDATE sessions SET revoked_at = now() WHERE environment_id = $1 AND id IN (SELECT id FROM theirs)
   RETURNING id, user_id AS "userId", created_at AS "createdAt", ip_address AS "ipAddress",
     user_agent AS "userAgent", revoked_at AS "revokedAt"`,
);

const READ = scopedStatement(
  'sessions.readOfUser',
  `SELECT id, user_id AS "userId", created_at AS "createdAt", ip_address AS "ipAddress", user_agent AS "userAgent",
     revoked_at AS "revokedAt"
   FROM sessions WHERE environment_id = $1 AND id = $2 AND ($3::uuid IS NULL OR user_id = $3)`,
);

export interface EndedSession {
  id: string;
  userId: string;
  createdAt: Date;
  ipAddress: string | null;
  userAgent: string | null;
  revokedAt: Date | null;
}

/** What users are claimed by. */
export type ProvenIdentifier = Pick<IdentifierKey, 'kind' | 'identifier'>;

/** All sessions of a user; single ones belong to the session store. */
@Injectable()
export class UserSessionsRepository {
  constructor(private readonly database: Database) {}

  /** A session, live or ended. @param userId the required owner; null for any */
  async find(
    environmentId: EnvironmentId,
    sessionId: string,
    userId: string | null,
    on: Transaction | Database = this.database,
  ): Promise<EndedSession | null> {
    return (await on.rows<EndedSession>(READ, [environmentId, sessionId, userId]))[0] ?? null;
  }

  /** The sessions ended by this call; null if there is no such user. */
  async revokeAll(
    environmentId: EnvironmentId,
    userId: string,
    on: Transaction | Database = this.database,
  ): Promise<EndedSession[] | null> {
    const rows = await on.rows<EndedSession | { id: null }>(REVOKE, [environmentId, userId]);
    if (rows.length === 0) return null;
    return rows.filter((row): row is EndedSession => row.id !== null);
  }

  /** The sessions that this call ended, of the users who have proven one of the identifiers. */
  revokeOfHolders(
    environmentId: EnvironmentId,
    proven: readonly ProvenIdentifier[],
    tx: Transaction,
  ): Promise<EndedSession[]> {
    const columns = [proven.map(({ kind }) => kind), proven.map(({ identifier }) => identifier)];
    return tx.rows<EndedSession>(REVOKE_OF_HOLDERS, [environmentId, ...columns]);
  }
}
