import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId } from '../../database/index.js';
import type { EmailIdentifier } from '../credentials/identifiers.js';

const EMAIL_FREE = scopedStatement(
  'users.checkEmail',
  `SELECT NOT EXISTS (
       SELECT FROM credentials WHERE environment_id = $1 AND lower(email) = ANY ($3::text[]) AND user_id <> $2
     ) AND NOT EXISTS (
       SELECT FROM credentials WHERE environment_id = $1 AND email_key = $4 AND user_id <> $2
     ) AND NOT EXISTS (
       SELECT FROM identifier_claims
       WHERE environment_id = $1 AND kind = 'email' AND identifier = $4 AND user_id <> $2
     ) AS free`,
);

const USERNAME_FREE = scopedStatement(
  'users.checkUsername',
  `SELECT NOT EXISTS (
     SELECT FROM users WHERE environment_id = $1 AND lower(username) = lower($3) AND id <> $2
   ) AS free`,
);

/** Whether a value is free, that is, held by no other user than the caller. */
@Injectable()
export class FieldsCheckRepository {
  constructor(private readonly database: Database) {}

  async isEmailFree(environmentId: EnvironmentId, userId: string, email: EmailIdentifier): Promise<boolean> {
    return this.isFree(EMAIL_FREE, [environmentId, userId, email.spellings, email.normal]);
  }

  async isUsernameFree(environmentId: EnvironmentId, userId: string, username: string): Promise<boolean> {
    return this.isFree(USERNAME_FREE, [environmentId, userId, username]);
  }

  private async isFree(statement: typeof EMAIL_FREE, values: unknown[]): Promise<boolean> {
    const [row] = await this.database.rows<{ free: boolean }>(statement, values);
    return row?.free === true;
  }
}
