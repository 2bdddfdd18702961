import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';
import type { IdentifierKey } from '../credentials/identifier-key.js';

/** Holds both users in id order, as a merge does: the foreign keys alone would take the caller first. */
const STORE = scopedStatement(
  'pendingMerges.store',
  `WITH held AS (
     SELECT id FROM users WHERE environment_id = $1 AND id IN ($3::uuid, $4::uuid) ORDER BY id FOR KEY SHARE)
   INSERT INTO pending_merges (environment_id, session_id, user_id, other_user_id, kind, identifier, amr, directory,
     expires_at)
   SELECT $1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9)
   FROM (SELECT count(*) FROM held) AS both_users
   ON CONFLICT (environment_id, session_id) DO UPDATE
     SET user_id = excluded.user_id, other_user_id = excluded.other_user_id, kind = excluded.kind,
       identifier = excluded.identifier, amr = excluded.amr, directory = excluded.directory,
       expires_at = excluded.expires_at`,
);
const LIVE = 'environment_id = $1 AND session_id = $2 AND user_id = $3 AND expires_at > now()';
const FIND = scopedStatement(
  'pendingMerges.find',
  `SELECT other_user_id AS "otherUserId", amr, directory FROM pending_merges WHERE ${LIVE}`,
);
/**
 * The first call deletes the row, so that of concurrent calls one merges. None does once the other user has lost the
 * credential, which may have been unlinked to keep out whoever proved it.
 */
const TAKE = scopedStatement(
  'pendingMerges.take',
  `DELETE FROM pending_merges p WHERE ${LIVE} AND other_user_id = $4 AND EXISTS (
     SELECT FROM identifier_claims c WHERE c.environment_id = $1 AND c.user_id = $4 AND c.kind = p.kind
       AND c.identifier = p.identifier AND c.proven_at IS NOT NULL)`,
);

/** The user and session of an offer. */
export interface OfferHolder {
  userId: string;
  sessionId: string;
}

/** The other user, and the methods of the proof of their credential. */
export interface MergeOffer {
  otherUserId: string;
  amr: readonly string[];
  /** The directory, if the proof came from an organization's provider. */
  directory: string | null;
}

/** An offer, with the credential of the other user that was proven for it. */
export type NewOffer = MergeOffer & { key: Pick<IdentifierKey, 'kind' | 'identifier'> };

@Injectable()
export class PendingMergesRepository {
  constructor(private readonly database: Database) {}

  async store(
    environmentId: EnvironmentId,
    { userId, sessionId }: OfferHolder,
    { otherUserId, key, amr, directory }: NewOffer,
    ttlSeconds: number,
    tx: Transaction,
  ): Promise<void> {
    const users = [sessionId, userId, otherUserId];
    await tx.execute(STORE, [environmentId, ...users, key.kind, key.identifier, amr, directory, ttlSeconds]);
  }

  /** Null if there is no valid offer. */
  async find(environmentId: EnvironmentId, { userId, sessionId }: OfferHolder): Promise<MergeOffer | null> {
    const [row] = await this.database.rows<MergeOffer>(FIND, [environmentId, sessionId, userId]);
    return row ?? null;
  }

  /** Uses up the offer. To be called while the other user is locked. @returns true for one caller only */
  async take(
    environmentId: EnvironmentId,
    { userId, sessionId }: OfferHolder,
    otherUserId: string,
    tx: Transaction,
  ): Promise<boolean> {
    return (await tx.execute(TAKE, [environmentId, sessionId, userId, otherUserId])) === 1;
  }
}
