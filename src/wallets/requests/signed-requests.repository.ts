import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';
import type { KeySet } from './request-bodies.js';

/** Live at once, per user. */
export const MAX_SESSION_KEYS = 10;
/** Of a key that a session was given when it began. Sessions last longer, and a key is good for as long as its proof is near. */
const FIRST_KEY_HOURS = 24;

// Keys that are shared, or that another custodian has, have no isolation record of their own: they are named by their user,
// whichever of them are left.
const KEYS = scopedStatement(
  'walletRequests.findKeySet',
  `SELECT id AS "keysId", organization_id AS "organizationId", vault_user_id AS "vaultUserId",
     kind = 'hd-entropy' AS "isSeed"
   FROM (
     SELECT id, vault_organization_id AS organization_id, vault_user_id, kind, created_at FROM wallet_seeds
     WHERE environment_id = $1 AND user_id = $2 AND destroy_after IS NULL
     UNION ALL
     SELECT id, user_id, user_id, 'shares', created_at FROM key_share_sets WHERE environment_id = $1 AND user_id = $2
     UNION ALL
     SELECT seed_id, user_id, user_id, 'wallet', created_at FROM wallets
     WHERE environment_id = $1 AND user_id = $2 AND kind = 'embedded') k
   ORDER BY kind, created_at, id LIMIT 1`,
);

const IS_OF_SESSION = scopedStatement(
  'walletRequests.checkSessionKey',
  `SELECT s.id FROM sessions s WHERE s.environment_id = $1 AND s.id = $2 AND s.user_id = $3
     AND (lower(s.session_public_key) = $4 AND s.created_at > now() - interval '${FIRST_KEY_HOURS} hours' OR EXISTS (
       SELECT 1 FROM wallet_session_keys k
       WHERE k.environment_id = $1 AND k.session_id = $2 AND k.public_key = $4 AND k.expires_at > now()))`,
);

const REGISTER = scopedStatement(
  'walletRequests.registerKey',
  `INSERT INTO wallet_session_keys (environment_id, session_id, public_key, user_id, expires_at)
   SELECT $1, $2, $3, $4, now() + make_interval(secs => $5)
   WHERE (SELECT count(*) FROM wallet_session_keys k
     WHERE k.environment_id = $1 AND k.user_id = $4 AND k.expires_at > now()
       AND (k.session_id, k.public_key) <> ($2, $3)) < ${MAX_SESSION_KEYS}
   ON CONFLICT (environment_id, session_id, public_key) DO UPDATE SET expires_at = excluded.expires_at
   RETURNING extract(epoch FROM expires_at)::int AS "expiresAt"`,
);

const USE = scopedStatement(
  'walletRequests.redeem',
  `INSERT INTO wallet_used_requests (environment_id, digest, expires_at)
   VALUES ($1, $2, now() + make_interval(secs => $3)) ON CONFLICT DO NOTHING`,
);

/** What signed requests are judged by. */
@Injectable()
export class SignedRequestsRepository {
  constructor(private readonly database: Database) {}

  /** The HD wallet of the user, or else the first imported, shared or other keys, in this order; null when there are none. */
  async findKeySet(environmentId: EnvironmentId, userId: string): Promise<KeySet | null> {
    return (await this.database.rows<KeySet>(KEYS, [environmentId, userId]))[0] ?? null;
  }

  /** Whether a key is one of the session: given at its beginning, or registered since. */
  async isOfSession(
    environmentId: EnvironmentId,
    { sessionId, userId }: { sessionId: string; userId: string },
    publicKey: string,
  ): Promise<boolean> {
    return (await this.database.rows(IS_OF_SESSION, [environmentId, sessionId, userId, publicKey])).length > 0;
  }

  /** Seconds since 1970 until when it is good; null when the user has as many as a user may have. */
  async register(
    environmentId: EnvironmentId,
    { sessionId, userId }: { sessionId: string; userId: string },
    publicKey: string,
    ttlSeconds: number,
    tx: Transaction,
  ): Promise<number | null> {
    const values = [environmentId, sessionId, publicKey, userId, ttlSeconds];
    return (await tx.rows<{ expiresAt: number }>(REGISTER, values))[0]?.expiresAt ?? null;
  }

  /** True for the one call that uses the request. */
  async use(environmentId: EnvironmentId, digest: Buffer, ttlSeconds: number, tx: Transaction): Promise<boolean> {
    return (await tx.execute(USE, [environmentId, digest, ttlSeconds])) === 1;
  }
}
