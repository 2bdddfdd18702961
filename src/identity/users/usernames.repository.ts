import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';
import type { StoredProfile } from './profile-columns.js';
import { usernameAlreadyExists } from './user.errors.js';

/**
 * The claim decides between users who take a name concurrently; the look-up excludes names that API calls gave to
 * others. A claim whose owner has since been renamed is free after a minute, when no transaction that could still store
 * it is open.
 */
const CLAIM = scopedStatement(
  'usernames.claim',
  `WITH released AS (
     DELETE FROM identifier_claims
     WHERE environment_id = $1 AND kind = 'username' AND user_id = $2 AND identifier <> lower($3::text)),
   claimed AS (
     INSERT INTO identifier_claims AS c (environment_id, kind, identifier, user_id)
     SELECT $1, 'username', lower($3::text), $2
     WHERE NOT EXISTS (SELECT FROM users WHERE environment_id = $1 AND lower(username) = lower($3::text) AND id <> $2)
     ON CONFLICT (environment_id, kind, identifier) DO UPDATE SET user_id = excluded.user_id, created_at = now()
     WHERE c.user_id = excluded.user_id OR (c.created_at < now() - interval '1 minute' AND NOT EXISTS (
       SELECT FROM users u WHERE u.environment_id = c.environment_id AND u.id = c.user_id AND lower(u.username) = c.identifier))
     RETURNING 1)
   SELECT EXISTS (SELECT FROM claimed) AS "isClaimed"`,
);
const RELEASE = scopedStatement(
  'usernames.release',
  `DELETE FROM identifier_claims WHERE environment_id = $1 AND kind = 'username' AND user_id = $2`,
);

/** Taken before the claim, which refers to the row; otherwise this could deadlock with a deletion of the user. */
const HOLD = scopedStatement(
  'usernames.holdUser',
  'SELECT id FROM users WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE',
);

/** Usernames of an environment's users; case-insensitive. */
@Injectable()
export class UsernamesRepository {
  /** Takes a name for a user and releases the previous one. @returns false if another user has it */
  async claim(environmentId: EnvironmentId, userId: string, username: string, tx: Transaction): Promise<boolean> {
    const [row] = await tx.rows<{ isClaimed: boolean }>(CLAIM, [environmentId, userId, username]);
    return row!.isClaimed;
  }

  /** Applies a profile change to the name, before the user's row is written. @throws notFound, usernameAlreadyExists */
  async settle(
    environmentId: EnvironmentId,
    userId: string,
    { username }: StoredProfile,
    tx: Transaction,
  ): Promise<void> {
    if (username === undefined) return;
    if ((await tx.rows(HOLD, [environmentId, userId])).length === 0) throw notFound();
    if (!username) return this.release(environmentId, userId, tx);
    if (!(await this.claim(environmentId, userId, username, tx))) throw usernameAlreadyExists();
  }

  async release(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<void> {
    await tx.execute(RELEASE, [environmentId, userId]);
  }
}
