import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import type { IdentifierKey } from '../credentials/identifier-key.js';
import { MERGE_UNDO_SECONDS } from './merge-limits.js';
import { UserMerge } from './user-merge.entity.js';

/** In id order, so that two transactions on the same users never deadlock. */
const LOCK_USERS = scopedStatement(
  'userMerges.lockUsers',
  'SELECT id FROM users WHERE environment_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR UPDATE',
);
const KEEP = scopedStatement(
  'userMerges.add',
  `INSERT INTO user_merges (environment_id, id, user_id, from_user_id, from_user, user_before, credential_ids, claims, moved)
   SELECT $1, $2, u.id, f.id, to_jsonb(f), to_jsonb(u),
     ARRAY(SELECT c.id FROM credentials c WHERE c.environment_id = $1 AND c.user_id = f.id),
     (SELECT coalesce(jsonb_agg(jsonb_build_object('kind', k.kind, 'identifier', k.identifier)), '[]')
      FROM identifier_claims k WHERE k.environment_id = $1 AND k.user_id = f.id AND k.kind <> 'username'),
     $5::jsonb
   FROM users u JOIN users f ON f.environment_id = u.environment_id AND f.id = $4
   WHERE u.environment_id = $1 AND u.id = $3`,
);
/** Maximum number of former owners; a credential may move between two people endlessly. */
const MAX_FORMER = 20;
const JOINED = "array_append(array_remove(coalesce(previous_users, '{}'), $2::uuid), $2::uuid)";
/** Including the current owner, without duplicates, newest kept. */
const FORMER = `(${JOINED})[greatest(cardinality(${JOINED}) - ${MAX_FORMER - 1}, 1):]`;
const MOVE_CREDENTIALS = scopedStatement(
  'userMerges.takeCredentials',
  `UPDATE credentials SET user_id = $3, previous_users = ${FORMER}
   WHERE environment_id = $1 AND user_id = $2`,
);
/** Usernames are handled with the profile. */
const MOVE_CLAIMS = scopedStatement(
  'userMerges.takeClaims',
  `UPDATE identifier_claims SET user_id = $3, proven_at = CASE WHEN proven_at IS NOT NULL THEN now() END
   WHERE environment_id = $1 AND user_id = $2 AND kind <> 'username'`,
);
/** Moves one wallet from the user who has proven it; the user's last sign-in credential only if requested. */
const TRANSFER = scopedStatement(
  'userMerges.takeWallet',
  `WITH claim AS (
     UPDATE identifier_claims k SET user_id = $3, proven_at = now()
     WHERE k.environment_id = $1 AND k.user_id = $2 AND k.kind = 'wallet' AND k.identifier = $4 AND k.proven_at IS NOT NULL
       AND ($7 OR EXISTS (SELECT FROM credentials o WHERE o.environment_id = $1 AND o.user_id = $2 AND o.sign_in_enabled
         AND o.verified_at IS NOT NULL AND o.format = ANY ($8::text[])
         AND NOT (o.format = 'blockchain' AND o.chain = ANY ($6::text[]) AND $5::text[] && ARRAY[o.address, lower(o.address)])))
     RETURNING 1),
   moved AS (
     UPDATE credentials c SET user_id = $3, previous_users = ${FORMER}
     FROM claim WHERE c.environment_id = $1 AND c.user_id = $2 AND c.format = 'blockchain' AND c.chain = ANY ($6::text[])
       AND $5::text[] && ARRAY[c.address, lower(c.address)]
     RETURNING c.id, c.wallet_id)
   SELECT id, wallet_id AS "walletId" FROM moved`,
);
const FORGET_LAST = scopedStatement(
  'userMerges.forgetLast',
  `UPDATE users SET last_verified_credential_id = NULL
   WHERE environment_id = $1 AND id = $2 AND last_verified_credential_id = ANY ($3::uuid[])`,
);
const FIND_LATEST = scopedStatement(
  'userMerges.findLatest',
  `SELECT id, created_at AS "createdAt" FROM user_merges
   WHERE environment_id = $1 AND user_id = $2 AND undone_at IS NULL AND created_at > now() - make_interval(secs => $3)
   ORDER BY created_at DESC LIMIT 1`,
);
const UNDO = scopedStatement(
  'userMerges.withdraw',
  `UPDATE user_merges SET undone_at = now()
   WHERE environment_id = $1 AND id = $2 AND undone_at IS NULL AND created_at > now() - make_interval(secs => $3)
   RETURNING id, user_id AS "userId", from_user_id AS "fromUserId", from_user AS "fromUser", user_before AS "userBefore",
     credential_ids AS "credentialIds", moved`,
);
const RESTORE_USER = scopedStatement(
  'userMerges.restoreUser',
  `INSERT INTO users SELECT r.* FROM jsonb_populate_record(null::users, $2::jsonb) r WHERE r.environment_id = $1
   ON CONFLICT DO NOTHING`,
);
/** What has since been unlinked or moved stays where it is. */
const RETURN_CREDENTIALS = scopedStatement(
  'userMerges.restoreCredentials',
  `UPDATE credentials SET user_id = $2, previous_users = array_remove(previous_users, $2::uuid)
   WHERE environment_id = $1 AND user_id = $3 AND id = ANY ($4::uuid[])`,
);
/** A claim made since the merge is on a credential that the remaining user linked again, which stays theirs. */
const RETURN_CLAIMS = scopedStatement(
  'userMerges.restoreClaims',
  `UPDATE identifier_claims k SET user_id = m.from_user_id
   FROM user_merges m, jsonb_to_recordset(m.claims) AS r (kind text, identifier text)
   WHERE m.environment_id = $1 AND m.id = $2 AND k.environment_id = $1 AND k.user_id = m.user_id
     AND k.kind = r.kind AND k.identifier = r.identifier AND k.created_at <= m.created_at
     AND (k.kind, k.identifier) NOT IN (SELECT * FROM unnest($3::text[], $4::text[]))`,
);

/** A merge being undone. */
export type UndoneMerge = Pick<
  UserMerge,
  'id' | 'userId' | 'fromUserId' | 'fromUser' | 'userBefore' | 'credentialIds' | 'moved'
>;

export interface MovedCredential {
  id: string;
  walletId: string | null;
}

/** The removed user and the remaining one. */
export interface UserPair {
  fromUserId: string;
  userId: string;
}

@Injectable()
export class UserMergesRepository extends ScopedRepository<UserMerge> {
  constructor(database: Database) {
    super(database, UserMerge);
  }

  /** Locks the users until the transaction ends. False unless all of them exist. */
  async lockUsers(environmentId: EnvironmentId, userIds: readonly string[], tx: Transaction): Promise<boolean> {
    return (await tx.rows(LOCK_USERS, [environmentId, userIds])).length === new Set(userIds).size;
  }

  /** Records the current state, for an undo. */
  async keep(
    environmentId: EnvironmentId,
    { id, userId, fromUserId, moved }: UserPair & { id: string; moved: Record<string, unknown> },
    tx: Transaction,
  ): Promise<void> {
    await tx.execute(KEEP, [environmentId, id, userId, fromUserId, JSON.stringify(moved)]);
  }

  /** Moves credentials and claims from one user to the other. @returns how many credentials */
  async move(environmentId: EnvironmentId, { fromUserId, userId }: UserPair, tx: Transaction): Promise<number> {
    const moving = tx.execute(MOVE_CREDENTIALS, [environmentId, fromUserId, userId]);
    moving.catch(() => undefined);
    await tx.execute(MOVE_CLAIMS, [environmentId, fromUserId, userId]);
    return moving;
  }

  /**
   * Moves a wallet from the user who has proven it.
   * @param formats that allow sign-in
   * @returns its credentials; none if it is no longer the user's, or the last way to sign in
   */
  async transfer(
    environmentId: EnvironmentId,
    { fromUserId, userId }: UserPair,
    { identifier, spellings, chains }: IdentifierKey,
    { leavesNobody, formats }: { leavesNobody: boolean; formats: readonly string[] },
    tx: Transaction,
  ): Promise<MovedCredential[]> {
    const values = [environmentId, fromUserId, userId, identifier, spellings, chains, leavesNobody, formats];
    const moved = await tx.rows<MovedCredential>(TRANSFER, values);
    await tx.execute(FORGET_LAST, [environmentId, fromUserId, moved.map(({ id }) => id)]);
    return moved;
  }

  /** The last merge into a user that can still be undone. */
  async findLatest(environmentId: EnvironmentId, userId: string): Promise<{ id: string; createdAt: Date } | null> {
    const values = [environmentId, userId, MERGE_UNDO_SECONDS];
    return (await this.database.rows<{ id: string; createdAt: Date }>(FIND_LATEST, values))[0] ?? null;
  }

  /** @returns null for all concurrent callers but one, and after seven days */
  async undo(environmentId: EnvironmentId, id: string, tx: Transaction): Promise<UndoneMerge | null> {
    return (await tx.rows<UndoneMerge>(UNDO, [environmentId, id, MERGE_UNDO_SECONDS]))[0] ?? null;
  }

  /** Restores a user with the credentials that still exist. False if the id is taken by now. */
  async restore(
    environmentId: EnvironmentId,
    { fromUser, fromUserId, userId, credentialIds }: UndoneMerge,
    tx: Transaction,
  ): Promise<boolean> {
    if ((await tx.execute(RESTORE_USER, [environmentId, JSON.stringify(fromUser)])) !== 1) return false;
    await tx.execute(RETURN_CREDENTIALS, [environmentId, fromUserId, userId, credentialIds]);
    return true;
  }

  /** Returns the claims of a restored user. @param left identifiers that stay with the remaining user */
  async restoreClaims(
    environmentId: EnvironmentId,
    { id }: UndoneMerge,
    left: readonly Pick<IdentifierKey, 'kind' | 'identifier'>[],
    tx: Transaction,
  ): Promise<void> {
    const values = [left.map(({ kind }) => kind), left.map(({ identifier }) => identifier)];
    await tx.execute(RETURN_CLAIMS, [environmentId, id, ...values]);
  }
}
