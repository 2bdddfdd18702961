import { Injectable } from '@nestjs/common';
import type { TokenUse } from '../../auth/index.js';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import { Session } from './session.entity.js';

const COLUMNS = [
  'environment_id AS "environmentId"',
  'id',
  'user_id AS "userId"',
  'credential_id AS "credentialId"',
  'amr',
  'authenticated_at AS "authenticatedAt"',
  'audience',
  'ip_address AS "ipAddress"',
  'user_agent AS "userAgent"',
  'session_public_key AS "sessionPublicKey"',
  'token_id AS "tokenId"',
  'previous_token_id AS "previousTokenId"',
  'token_user_agent AS "tokenUserAgent"',
  'replaced_tokens AS "replacedTokens"',
  'token_issued_at AS "tokenIssuedAt"',
  'token_expires_at AS "tokenExpiresAt"',
  'raised_at AS "raisedAt"',
  'created_at AS "createdAt"',
  'expires_at AS "expiresAt"',
  'revoked_at AS "revokedAt"',
].join(', ');

const LIVE = 'revoked_at IS NULL AND expires_at > now()';

/** Two tabs that exchange a token at once are one client; a later caller with the old token is another. */
const GRACE = "interval '10 seconds'";
/** How long other tabs may keep using a token that one of them exchanged, whatever its own lifetime. */
const REPLACED_COUNTS = "interval '15 minutes'";
/** Maximum number of tokens before the previous one that are remembered. */
const MAX_REMEMBERED = 20;

const TOKEN_USES = scopedStatement(
  'sessions.checkLive',
  `SELECT asked.at::int, CASE
     WHEN s.token_id = asked.token_id THEN CASE WHEN s.token_expires_at > now() THEN 'current' ELSE 'cut' END
     WHEN asked.token_id = ANY (s.cut_tokens) THEN CASE
       WHEN s.previous_token_id = asked.token_id AND s.token_issued_at > now() - ${GRACE} THEN 'cut' ELSE 'spent' END
     WHEN s.previous_token_id = asked.token_id AND s.token_issued_at > now() - ${GRACE} THEN 'just-replaced'
     WHEN s.previous_token_id = asked.token_id AND s.token_issued_at > now() - ${REPLACED_COUNTS} THEN 'replaced'
     WHEN to_timestamp((s.replaced_tokens ->> asked.token_id::text)::float) > now() - ${REPLACED_COUNTS} THEN 'replaced'
     ELSE 'spent' END AS use
   FROM unnest($2::uuid[], $3::uuid[], $4::uuid[]) WITH ORDINALITY AS asked (id, user_id, token_id, at)
   JOIN sessions s ON s.environment_id = $1 AND s.id = asked.id AND s.user_id = asked.user_id AND ${LIVE}`,
);
/** Locks the user, so that sign-ins of one person queue here and each counts the sessions of those before it. */
const VISIT = scopedStatement(
  'sessions.visit',
  `UPDATE users SET last_visit = now(), first_visit = coalesce(first_visit, now()),
     last_verified_credential_id = coalesce($3, last_verified_credential_id)
   WHERE environment_id = $1 AND id = $2`,
);
const ENDED =
  'id, user_id AS "userId", created_at AS "createdAt", ip_address AS "ipAddress", user_agent AS "userAgent"';
/** Another session ends the oldest. */
const MAX_LIVE_SESSIONS = 50;
/**
 * Opens a session and ends the oldest beyond the limit. The limit is not a parameter: the plan depends on it. Opens none
 * if the user no longer has the credential: it was looked up before the user was locked.
 */
const OPEN = scopedStatement(
  'sessions.open',
  `WITH ended AS (
     UPDATE sessions SET revoked_at = now() WHERE environment_id = $1 AND id IN (
       SELECT id FROM sessions WHERE environment_id = $1 AND user_id = $3 AND ${LIVE}
       ORDER BY created_at DESC, id DESC OFFSET ${MAX_LIVE_SESSIONS - 1})
     RETURNING ${ENDED}, revoked_at AS "revokedAt"),
   opened AS (
     INSERT INTO sessions (environment_id, id, user_id, credential_id, amr, audience, ip_address, user_agent,
       session_public_key, token_user_agent, token_id, authenticated_at, token_issued_at, token_expires_at, expires_at)
     SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $8, $10, least($13::timestamptz, now()), now(),
       least(now() + make_interval(secs => $11), now() + make_interval(secs => $12)), now() + make_interval(secs => $12)
     WHERE $14::uuid IS NULL OR EXISTS (
       SELECT FROM credentials WHERE environment_id = $1 AND id = $14 AND user_id = $3)
     RETURNING ${COLUMNS})
   SELECT opened.*, (SELECT json_agg(ended) FROM ended) AS ended FROM opened`,
);
/** Locks in id order, so that concurrent calls that end a user's sessions do not deadlock. */
const IN_ORDER = 'ORDER BY id FOR UPDATE';
const END_ALL = scopedStatement(
  'sessions.endAll',
  `WITH theirs AS (
     SELECT id FROM sessions WHERE environment_id = $1 AND user_id = $2 AND ${LIVE} ${IN_ORDER})
   UPDATE sessions SET revoked_at = now() WHERE environment_id = $1 AND id IN (SELECT id FROM theirs)
   RETURNING ${COLUMNS}`,
);
/** Nothing unless the one that stays is live. It is locked as well, so that it is not ended before the commit. */
const END_OTHERS = scopedStatement(
  'sessions.endOthers',
  `WITH theirs AS (
     SELECT id FROM sessions WHERE environment_id = $1 AND user_id = $2 AND ${LIVE} ${IN_ORDER}),
   own AS (SELECT id FROM theirs WHERE id = $3),
   ended AS (
     UPDATE sessions SET revoked_at = now() WHERE environment_id = $1 AND id IN (SELECT id FROM theirs WHERE id <> $3)
       AND EXISTS (SELECT FROM own)
     RETURNING ${COLUMNS})
   SELECT ended.* FROM own LEFT JOIN ended ON true`,
);
/** Adds the previous token to those before it, without the ones that no longer count. */
const REMEMBERED = `(
     SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM (
       SELECT key, value
       FROM jsonb_each(replaced_tokens || jsonb_build_object(previous_token_id, extract(epoch FROM token_issued_at)))
       WHERE to_timestamp(value::float) > now() - ${REPLACED_COUNTS}
       ORDER BY value DESC LIMIT ${MAX_REMEMBERED}) AS kept)`;
/** End of a session with a second factor given at this time; the earliest limit applies. */
const endOfRaised = (raisedAt: string): string =>
  `least(now() + interval '1 hour', ${raisedAt} + interval '24 hours', created_at + interval '30 days')`;
const END = `CASE WHEN raised_at IS NULL THEN expires_at ELSE ${endOfRaised('raised_at')} END`;
/**
 * A repeated exchange must not return tokens that were cut. It becomes an exchange of its own, and for ten seconds a
 * token replaced just before the cut is accepted like the previous one.
 */
const isRepeat = (userAgent: string): string => `token_user_agent IS NOT DISTINCT FROM ${userAgent} AND (
     (previous_token_id = $3 AND token_issued_at > now() - ${GRACE}) OR ($3 = ANY (cut_tokens)
       AND to_timestamp((replaced_tokens ->> ($3::uuid)::text)::float) > now() - ${GRACE}))`;
/** A decision from before the tokens were cut may grant what was lost, so it counts for uncut tokens only. */
const isDecidedFor = (cut: string): string => `(${cut} OR $3 <> ALL (cut_tokens))`;
const ROTATE = scopedStatement(
  'sessions.rotate',
  `UPDATE sessions SET previous_token_id = token_id, token_id = $4, token_issued_at = now(), token_user_agent = $6,
     replaced_tokens = CASE WHEN previous_token_id IS NULL THEN '{}' ELSE ${REMEMBERED} END,
     token_expires_at = least(now() + make_interval(secs => $5), ${END}), expires_at = ${END}
   WHERE environment_id = $1 AND id = $2 AND ${LIVE} AND ${isDecidedFor('$7')}
     AND (token_id = $3 OR (token_expires_at <= now() AND ${isRepeat('$6')}))
   RETURNING ${COLUMNS}`,
);
const RAISE = scopedStatement(
  'sessions.raise',
  `UPDATE sessions SET amr = $3, raised_at = now(), expires_at = ${endOfRaised('now()')},
     token_expires_at = least(token_expires_at, ${endOfRaised('now()')})
   WHERE environment_id = $1 AND id = $2 AND ${LIVE}`,
);
const FIND_SUCCESSOR = scopedStatement(
  'sessions.findSuccessor',
  `SELECT ${COLUMNS} FROM sessions
   WHERE environment_id = $1 AND id = $2 AND ${LIVE} AND ${isDecidedFor('$5')} AND ${isRepeat('$4')}`,
);
const FIND_LIVE = scopedStatement(
  'sessions.findLive',
  `SELECT ${COLUMNS} FROM sessions WHERE environment_id = $1 AND id = $2 AND ${LIVE}`,
);
const FIND_RENEWABLE = scopedStatement(
  'sessions.findRenewable',
  `SELECT ${COLUMNS} FROM sessions WHERE environment_id = $1 AND id = $2 AND ${LIVE} AND (token_id = $3 OR (
     previous_token_id = $3 AND token_issued_at > now() - ${GRACE} AND token_user_agent IS NOT DISTINCT FROM $4))`,
);
const REVOKE = scopedStatement(
  'sessions.revoke',
  `UPDATE sessions SET revoked_at = now() WHERE environment_id = $1 AND id = $2 AND ${LIVE} RETURNING ${COLUMNS}`,
);
/**
 * Cuts tokens; expired ones need nothing. Exchanged tokens may still count, and the newest would again after a refresh:
 * from now on none of them does. If the token lifetime was shortened, the newest one ends before those it replaced.
 */
const CUT_TOKENS = scopedStatement(
  'sessions.endTokens',
  `WITH theirs AS (
     SELECT id FROM sessions WHERE environment_id = $1 AND user_id = $2 AND ${LIVE}
       AND (token_expires_at > now() OR (previous_token_id IS NOT NULL AND token_id <> ALL (cut_tokens)
         AND token_issued_at > now() - ${REPLACED_COUNTS})) ${IN_ORDER})
   UPDATE sessions SET token_expires_at = least(token_expires_at, now()),
     cut_tokens = array_remove(ARRAY[token_id, previous_token_id], NULL)
     || ARRAY(SELECT key::uuid FROM jsonb_object_keys(replaced_tokens) AS key)
   WHERE environment_id = $1 AND id IN (SELECT id FROM theirs)`,
);

/** A session as named by a token. */
export interface SessionOfUser {
  sessionId: string;
  userId: string;
  tokenId: string;
}

/** A token and its presenter. */
export interface PresentedToken {
  id: string;
  tokenId: string;
  userAgent: string | null;
}

/** A token whose next scopes are decided. */
export interface DecidedToken extends PresentedToken {
  /** Whether it was cut by then. */
  wasCut: boolean;
}

export interface NewSession {
  id: string;
  userId: string;
  credentialId: string | null;
  amr: readonly string[];
  authenticatedAt: Date | null;
  audience: string | null;
  ipAddress: string | null;
  userAgent: string | null;
  sessionPublicKey: string | null;
  tokenId: string;
  tokenTtlSeconds: number;
  sessionTtlSeconds: number;
  /** The credential that the user must still have; null if it does not matter. */
  requiredCredentialId: string | null;
}

/** An ended session, as it is reported. */
export type EndedSession = Pick<Session, 'id' | 'userId' | 'createdAt' | 'ipAddress' | 'userAgent' | 'revokedAt'>;
type EndedRow = Omit<EndedSession, 'createdAt' | 'revokedAt'> & { createdAt: string; revokedAt: string };

/** Dates inside JSON are strings. */
const withDates = (row: EndedRow): EndedSession => ({
  ...row,
  createdAt: new Date(row.createdAt),
  revokedAt: new Date(row.revokedAt),
});

@Injectable()
export class SessionsRepository extends ScopedRepository<Session> {
  constructor(database: Database) {
    super(database, Session);
  }

  /** The state of each token, in the order of `sessions`; null if the session is not live or not that user's. */
  async tokenUses(environmentId: EnvironmentId, sessions: readonly SessionOfUser[]): Promise<(TokenUse | null)[]> {
    const ids = sessions.map(({ sessionId }) => sessionId);
    const userIds = sessions.map(({ userId }) => userId);
    const tokenIds = sessions.map(({ tokenId }) => tokenId);
    const values = [environmentId, ids, userIds, tokenIds];
    const uses = sessions.map((): TokenUse | null => null);
    for (const { at, use } of await this.database.rows<{ at: number; use: TokenUse }>(TOKEN_USES, values)) {
      uses[at - 1] = use;
    }
    return uses;
  }

  /** Records the visit. @returns false if there is no such user */
  async visit(
    environmentId: EnvironmentId,
    userId: string,
    credentialId: string | null,
    tx: Transaction,
  ): Promise<boolean> {
    return (await tx.execute(VISIT, [environmentId, userId, credentialId])) === 1;
  }

  /**
   * Opens a session, and ends the user's oldest live ones so that at most 50 remain. Null if the user does not have the
   * required credential.
   */
  async open(
    environmentId: EnvironmentId,
    session: NewSession,
    tx: Transaction,
  ): Promise<{ session: Session; ended: EndedSession[] } | null> {
    const [row] = await tx.rows<Session & { ended: EndedRow[] | null }>(OPEN, [
      environmentId,
      session.id,
      session.userId,
      session.credentialId,
      session.amr,
      session.audience,
      session.ipAddress,
      session.userAgent,
      session.sessionPublicKey,
      session.tokenId,
      session.tokenTtlSeconds,
      session.sessionTtlSeconds,
      session.authenticatedAt,
      session.requiredCredentialId,
    ]);
    if (!row) return null;
    const { ended, ...opened } = row;
    return { session: opened, ended: (ended ?? []).map(withDates) };
  }

  /** Ends every live session of a user. */
  endAll(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<Session[]> {
    return tx.rows<Session>(END_ALL, [environmentId, userId]);
  }

  /** Ends every live session of a user except one. Null, and none ends, if that one is not live. */
  async endOthers(
    environmentId: EnvironmentId,
    userId: string,
    sessionId: string,
    tx: Transaction,
  ): Promise<Session[] | null> {
    const rows = await tx.rows<Session | { id: null }>(END_OTHERS, [environmentId, userId, sessionId]);
    return rows.length === 0 ? null : rows.filter((row): row is Session => row.id !== null);
  }

  /**
   * Exchanges a token for the next. Of concurrent callers one succeeds; null for the others, and for a token that was
   * cut since the decision.
   */
  async rotate(
    environmentId: EnvironmentId,
    { id, tokenId, userAgent, wasCut }: DecidedToken,
    next: { tokenId: string; tokenTtlSeconds: number },
  ): Promise<Session | null> {
    const values = [environmentId, id, tokenId, next.tokenId, next.tokenTtlSeconds, userAgent, wasCut];
    return (await this.database.rows<Session>(ROTATE, values))[0] ?? null;
  }

  /** The session whose token the same client exchanged within the grace period. */
  async findSuccessor(environmentId: EnvironmentId, token: DecidedToken): Promise<Session | null> {
    const values = [environmentId, token.id, token.tokenId, token.userAgent, token.wasCut];
    return (await this.database.rows<Session>(FIND_SUCCESSOR, values))[0] ?? null;
  }

  /** The session this token may get tokens for: it is the current one, or its predecessor within the grace period. */
  async findRenewable(environmentId: EnvironmentId, token: PresentedToken): Promise<Session | null> {
    const values = [environmentId, token.id, token.tokenId, token.userAgent];
    return (await this.database.rows<Session>(FIND_RENEWABLE, values))[0] ?? null;
  }

  /** Records a second factor, after which the session ends sooner. False if it had already ended. */
  async raise(environmentId: EnvironmentId, id: string, amr: readonly string[], tx: Transaction): Promise<boolean> {
    return (await tx.execute(RAISE, [environmentId, id, amr])) === 1;
  }

  async findLive(environmentId: EnvironmentId, id: string): Promise<Session | null> {
    return (await this.database.rows<Session>(FIND_LIVE, [environmentId, id]))[0] ?? null;
  }

  /** Ends a session; null if it had already ended. */
  async revoke(environmentId: EnvironmentId, id: string, tx: Transaction): Promise<Session | null> {
    return (await tx.rows<Session>(REVOKE, [environmentId, id]))[0] ?? null;
  }

  /** @returns the number of the user's sessions that had a valid token */
  cutTokens(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<number> {
    return tx.execute(CUT_TOKENS, [environmentId, userId]);
  }
}
