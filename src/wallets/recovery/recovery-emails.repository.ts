import { Injectable } from '@nestjs/common';
import {
  Database,
  scopedStatement,
  type EnvironmentId,
  type Executor,
  type Transaction,
} from '../../database/index.js';

const FIND = scopedStatement(
  'recoveryEmails.find',
  'SELECT email FROM wallet_recovery_emails WHERE environment_id = $1 AND user_id = $2',
);

const SAVE = scopedStatement(
  'recoveryEmails.store',
  `INSERT INTO wallet_recovery_emails (environment_id, user_id, email) VALUES ($1, $2, $3)
   ON CONFLICT (environment_id, user_id) DO UPDATE SET email = excluded.email, updated_at = now()`,
);

const REMOVE = scopedStatement(
  'recoveryEmails.remove',
  'DELETE FROM wallet_recovery_emails WHERE environment_id = $1 AND user_id = $2',
);

@Injectable()
export class RecoveryEmailsRepository {
  constructor(private readonly database: Database) {}

  /** Null for a user who has not chosen one. */
  async find(environmentId: EnvironmentId, userId: string, on: Executor = this.database): Promise<string | null> {
    return (await on.rows<{ email: string }>(FIND, [environmentId, userId]))[0]?.email ?? null;
  }

  async save(environmentId: EnvironmentId, userId: string, email: string, tx: Transaction): Promise<void> {
    await tx.execute(SAVE, [environmentId, userId, email]);
  }

  /** False when there was none. */
  async remove(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<boolean> {
    return (await tx.execute(REMOVE, [environmentId, userId])) === 1;
  }
}
