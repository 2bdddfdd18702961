import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId, type Transaction } from '../../../database/index.js';

const REPLACE = scopedStatement(
  'signInLinks.replace',
  `INSERT INTO sign_in_links AS l (environment_id, secret_hash, user_id, email, expires_at)
   VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))
   ON CONFLICT (environment_id, user_id) DO UPDATE
     SET secret_hash = excluded.secret_hash, email = excluded.email, expires_at = excluded.expires_at
   RETURNING expires_at AS "expiresAt"`,
);
/** The address signs in whoever has it, so a link ends when its person no longer does. */
const IS_OF_PERSON = `EXISTS (
     SELECT FROM credentials c WHERE c.environment_id = $1 AND c.user_id = l.user_id AND c.format = 'email'
       AND coalesce(c.email_key, lower(c.email)) = l.email)
   AND NOT EXISTS (
     SELECT FROM identifier_claims k
     WHERE k.environment_id = $1 AND k.kind = 'email' AND k.identifier = l.email AND k.user_id <> l.user_id)`;
const FIND = scopedStatement(
  'signInLinks.find',
  `SELECT l.email FROM sign_in_links l
   WHERE l.environment_id = $1 AND l.secret_hash = $2 AND l.expires_at > now() AND ${IS_OF_PERSON}`,
);
/** The first call deletes the row, so that of concurrent calls one gets it. */
const CONSUME = scopedStatement(
  'signInLinks.consume',
  `DELETE FROM sign_in_links l
   WHERE l.environment_id = $1 AND l.secret_hash = $2 AND l.expires_at > now() AND ${IS_OF_PERSON}`,
);

export interface NewSignInLink {
  secretHash: Buffer;
  userId: string;
  email: string;
  ttlSeconds: number;
}

@Injectable()
export class SignInLinksRepository {
  constructor(private readonly database: Database) {}

  /** Stores a link, replacing the person's previous one, if any. @returns when it expires */
  async replace(environmentId: EnvironmentId, link: NewSignInLink, tx: Transaction): Promise<Date> {
    const values = [environmentId, link.secretHash, link.userId, link.email, link.ttlSeconds];
    return (await tx.rows<{ expiresAt: Date }>(REPLACE, values))[0]!.expiresAt;
  }

  async findEmail(environmentId: EnvironmentId, secretHash: Buffer): Promise<string | null> {
    return (await this.database.rows<{ email: string }>(FIND, [environmentId, secretHash]))[0]?.email ?? null;
  }

  /** True for one caller only. */
  async use(environmentId: EnvironmentId, secretHash: Buffer, tx: Transaction): Promise<boolean> {
    return (await tx.execute(CONSUME, [environmentId, secretHash])) === 1;
  }
}
