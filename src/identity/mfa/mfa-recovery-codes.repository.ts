import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';
import { BACK_OFF_SECONDS, FAILURES_BEFORE_BACK_OFF, FAILURES_BEFORE_LOCK } from './mfa-limits.js';

const ADD = scopedStatement(
  'mfaRecoveryCodes.add',
  'INSERT INTO mfa_recovery_codes (environment_id, user_id, code_hashes) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
);
const REPLACE = scopedStatement(
  'mfaRecoveryCodes.replace',
  `INSERT INTO mfa_recovery_codes (environment_id, user_id, code_hashes) VALUES ($1, $2, $3)
   ON CONFLICT (environment_id, user_id) DO UPDATE SET code_hashes = excluded.code_hashes, created_at = now(),
     failures = 0, failures_in_row = 0, blocked_until = NULL`,
);
const COUNT = scopedStatement(
  'mfaRecoveryCodes.count',
  'SELECT cardinality(code_hashes) AS count FROM mfa_recovery_codes WHERE environment_id = $1 AND user_id = $2',
);
/** As that of devices. */
const ATTEMPT = scopedStatement(
  'mfaRecoveryCodes.attempt',
  `UPDATE mfa_recovery_codes SET
     failures_in_row = failures_in_row + 1,
     failures = CASE WHEN failures >= $3 THEN 1 ELSE failures + 1 END,
     blocked_until = CASE WHEN failures + 1 = $3 THEN now() + make_interval(secs => $4) END
   WHERE environment_id = $1 AND user_id = $2 AND coalesce(blocked_until <= now(), true) AND failures_in_row < $5`,
);
const USE = scopedStatement(
  'mfaRecoveryCodes.consume',
  `UPDATE mfa_recovery_codes SET code_hashes = array_remove(code_hashes, $3::bytea),
     failures = 0, failures_in_row = 0, blocked_until = NULL
   WHERE environment_id = $1 AND user_id = $2 AND $3::bytea = ANY (code_hashes)
   RETURNING cardinality(code_hashes) AS count`,
);
const CLEAR = scopedStatement(
  'mfaRecoveryCodes.remove',
  'DELETE FROM mfa_recovery_codes WHERE environment_id = $1 AND user_id = $2',
);

/** One row for a user, so that one statement uses a code and one voids them all. */
@Injectable()
export class MfaRecoveryCodesRepository {
  constructor(private readonly database: Database) {}

  /** @returns true for the one call that makes the first codes */
  async add(
    environmentId: EnvironmentId,
    userId: string,
    hashes: readonly Buffer[],
    tx: Transaction,
  ): Promise<boolean> {
    return (await tx.execute(ADD, [environmentId, userId, hashes])) === 1;
  }

  async replace(
    environmentId: EnvironmentId,
    userId: string,
    hashes: readonly Buffer[],
    tx: Transaction,
  ): Promise<void> {
    await tx.execute(REPLACE, [environmentId, userId, hashes]);
  }

  /** Null when there have never been any. */
  async count(environmentId: EnvironmentId, userId: string): Promise<number | null> {
    return (await this.database.rows<{ count: number }>(COUNT, [environmentId, userId]))[0]?.count ?? null;
  }

  /** Counts a try before anything is compared. @returns false after too many */
  async attempt(environmentId: EnvironmentId, userId: string): Promise<boolean> {
    const limits = [FAILURES_BEFORE_BACK_OFF, BACK_OFF_SECONDS, FAILURES_BEFORE_LOCK];
    return (await this.database.execute(ATTEMPT, [environmentId, userId, ...limits])) === 1;
  }

  /** @returns how many are left, for one caller alone; null for all others */
  async use(environmentId: EnvironmentId, userId: string, hash: Buffer, tx: Transaction): Promise<number | null> {
    return (await tx.rows<{ count: number }>(USE, [environmentId, userId, hash]))[0]?.count ?? null;
  }

  async clear(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<void> {
    await tx.execute(CLEAR, [environmentId, userId]);
  }
}
