import { Injectable } from '@nestjs/common';
import { scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';

/** What another user has proven stays theirs; what an API call said of another user gives way to proof. */
const TAKE = scopedStatement(
  'emailLinks.take',
  `INSERT INTO identifier_claims AS c (environment_id, kind, identifier, user_id, proven_at)
   VALUES ($1, 'email', $2, $3, now())
   ON CONFLICT (environment_id, kind, identifier) DO UPDATE SET user_id = excluded.user_id, proven_at = now()
   WHERE c.user_id = excluded.user_id OR c.proven_at IS NULL
   RETURNING 1`,
);

@Injectable()
export class EmailLinksRepository {
  /** Notes that a user has proven an address, in normal form. @returns false when another user has */
  async take(environmentId: EnvironmentId, email: string, userId: string, tx: Transaction): Promise<boolean> {
    return (await tx.rows(TAKE, [environmentId, email, userId])).length === 1;
  }
}
