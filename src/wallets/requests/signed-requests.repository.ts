import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';
import type { KeySet } from './request-bodies.js';

/** Live keys per user. */
export const MAX_SESSION_KEYS = 10;

// Shared keys, and those of another custodian, have no isolation record of their own: they are identified by their
// user, whichever of them are left.
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

const OF_SESSION = scopedStatement(
  'walletRequests.findSessionKey',
  `SELECT coalesce(k.is_mailed, false) AS "isMailed"
   FROM sessions s LEFT JOIN wallet_session_keys k
     ON k.environment_id = s.environment_id AND k.session_id = s.id AND k.public_key = $4 AND k.expires_at > now()
   WHERE s.environment_id = $1 AND s.id = $2 AND s.user_id = $3
     AND (k.public_key IS NOT NULL
       OR lower(s.session_public_key) = $4 AND s.created_at > now() - make_interval(secs => $5))`,
);

const REGISTER = scopedStatement(
  'walletRequests.registerKey',
  `INSERT INTO wallet_session_keys (environment_id, session_id, public_key, user_id, expires_at, is_mailed)
   SELECT $1, $2, $3, $4, now() + make_interval(secs => $5), $6
   WHERE (SELECT count(*) FROM wallet_session_keys k
     WHERE k.environment_id = $1 AND k.user_id = $4 AND k.expires_at > now()
       AND (k.session_id, k.public_key) <> ($2, $3)) < ${MAX_SESSION_KEYS}
   ON CONFLICT (environment_id, session_id, public_key)
     DO UPDATE SET expires_at = excluded.expires_at, is_mailed = excluded.is_mailed
   RETURNING extract(epoch FROM expires_at)::int AS "expiresAt"`,
);

const FORGET_MAILED = scopedStatement(
  'walletRequests.deleteMailedKeys',
  'DELETE FROM wallet_session_keys WHERE environment_id = $1 AND user_id = $2 AND is_mailed',
);

const FORGET_KEY = scopedStatement(
  'walletRequests.deleteKey',
  'DELETE FROM wallet_session_keys WHERE environment_id = $1 AND session_id = $2 AND public_key = $3',
);

const USE = scopedStatement(
  'walletRequests.redeem',
  `INSERT INTO wallet_used_requests (environment_id, digest, expires_at)
   VALUES ($1, $2, now() + make_interval(secs => $3)) ON CONFLICT DO NOTHING`,
);

export interface NewSessionKey {
  readonly publicKey: string;
  readonly ttlSeconds: number;
  readonly isMailed: boolean;
}

/** The data that signed requests are checked against. */
@Injectable()
export class SignedRequestsRepository {
  constructor(private readonly database: Database) {}

  /** The HD wallet of the user, or else the first imported, shared or other keys, in this order; null for none. */
  async findKeySet(environmentId: EnvironmentId, userId: string): Promise<KeySet | null> {
    return (await this.database.rows<KeySet>(KEYS, [environmentId, userId]))[0] ?? null;
  }

  /**
   * A key of the session: passed at sign-in, registered since, or mailed. Null for any other.
   *
   * @param firstKeySeconds how long the key passed at sign-in is valid
   */
  async findSessionKey(
    environmentId: EnvironmentId,
    { sessionId, userId }: { sessionId: string; userId: string },
    { publicKey, firstKeySeconds }: { publicKey: string; firstKeySeconds: number },
  ): Promise<{ readonly isMailed: boolean } | null> {
    const values = [environmentId, sessionId, userId, publicKey, firstKeySeconds];
    return (await this.database.rows<{ isMailed: boolean }>(OF_SESSION, values))[0] ?? null;
  }

  /** Expiry in seconds since 1970; null when the user is at the limit. */
  async register(
    environmentId: EnvironmentId,
    { sessionId, userId }: { sessionId: string; userId: string },
    { publicKey, ttlSeconds, isMailed }: NewSessionKey,
    tx: Transaction,
  ): Promise<number | null> {
    const values = [environmentId, sessionId, publicKey, userId, ttlSeconds, isMailed];
    return (await tx.rows<{ expiresAt: number }>(REGISTER, values))[0]?.expiresAt ?? null;
  }

  /** Ends the user's keys that arrived by mail. */
  forgetMailed(environmentId: EnvironmentId, userId: string, tx: Transaction): void {
    tx.send(FORGET_MAILED, [environmentId, userId]);
  }

  async forget(environmentId: EnvironmentId, { sessionId }: { sessionId: string }, publicKey: string): Promise<void> {
    await this.database.execute(FORGET_KEY, [environmentId, sessionId, publicKey]);
  }

  /** True for the one call that uses the request. */
  async use(environmentId: EnvironmentId, digest: Buffer, ttlSeconds: number, tx: Transaction): Promise<boolean> {
    return (await tx.execute(USE, [environmentId, digest, ttlSeconds])) === 1;
  }
}
