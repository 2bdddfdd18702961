import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';
import { COUNT_TRY, FORGIVE, MAY_TRY, TAKE_BACK } from './mfa-limits.js';

const ADD = scopedStatement(
  'mfaRecoveryCodes.add',
  'INSERT INTO mfa_recovery_codes (environment_id, user_id, code_hashes) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
);
const REPLACE = scopedStatement(
  'mfaRecoveryCodes.replace',
  `INSERT INTO mfa_recovery_codes (environment_id, user_id, code_hashes) VALUES ($1, $2, $3)
   ON CONFLICT (environment_id, user_id) DO UPDATE SET code_hashes = excluded.code_hashes, created_at = now(),
     ${FORGIVE}`,
);
const COUNT = scopedStatement(
  'mfaRecoveryCodes.count',
  'SELECT cardinality(code_hashes) AS count FROM mfa_recovery_codes WHERE environment_id = $1 AND user_id = $2',
);
/** As for devices. */
const ATTEMPT = scopedStatement(
  'mfaRecoveryCodes.attempt',
  `UPDATE mfa_recovery_codes SET ${COUNT_TRY}
   WHERE environment_id = $1 AND user_id = $2 AND ${MAY_TRY}`,
);
const USE = scopedStatement(
  'mfaRecoveryCodes.consume',
  `UPDATE mfa_recovery_codes SET code_hashes = array_remove(code_hashes, $3::bytea),
     ${FORGIVE}
   WHERE environment_id = $1 AND user_id = $2 AND $3::bytea = ANY (code_hashes)
   RETURNING cardinality(code_hashes) AS count`,
);
/** For a correct code that was not used; changes nothing for any other. */
const TAKE_BACK_TRY = scopedStatement(
  'mfaRecoveryCodes.takeBack',
  `UPDATE mfa_recovery_codes SET ${TAKE_BACK}
   WHERE environment_id = $1 AND user_id = $2 AND $3::bytea = ANY (code_hashes)`,
);
const WAIT = scopedStatement(
  'mfaRecoveryCodes.readWait',
  `SELECT extract(epoch FROM blocked_until - now())::float AS wait FROM mfa_recovery_codes
   WHERE environment_id = $1 AND user_id = $2`,
);
const END_WAITS = scopedStatement(
  'mfaRecoveryCodes.endWaits',
  `UPDATE mfa_recovery_codes SET ${FORGIVE}
   WHERE environment_id = $1 AND user_id = $2 AND failures_in_row > 0`,
);
const CLEAR = scopedStatement(
  'mfaRecoveryCodes.remove',
  'DELETE FROM mfa_recovery_codes WHERE environment_id = $1 AND user_id = $2',
);

/** One row per user, so that a single statement uses a code or voids all of them. */
@Injectable()
export class MfaRecoveryCodesRepository {
  constructor(private readonly database: Database) {}

  /** @returns true for the one call that creates the first codes */
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

  /** Null if there have never been any. */
  async count(environmentId: EnvironmentId, userId: string): Promise<number | null> {
    return (await this.database.rows<{ count: number }>(COUNT, [environmentId, userId]))[0]?.count ?? null;
  }

  /** Counts an attempt before anything is compared. @returns false after too many */
  async attempt(environmentId: EnvironmentId, userId: string): Promise<boolean> {
    return (await this.database.execute(ATTEMPT, [environmentId, userId])) === 1;
  }

  /** Seconds until refused codes may be tried; 0 if they may now. */
  async waitSeconds(environmentId: EnvironmentId, userId: string): Promise<number> {
    return (await this.database.rows<{ wait: number | null }>(WAIT, [environmentId, userId]))[0]?.wait ?? 0;
  }

  /** @returns 1 if wrong ones had been counted, else 0 */
  endWaits(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<number> {
    return tx.execute(END_WAITS, [environmentId, userId]);
  }

  /** @returns how many are left, for one caller only; null for all others */
  async use(environmentId: EnvironmentId, userId: string, hash: Buffer, tx: Transaction): Promise<number | null> {
    return (await tx.rows<{ count: number }>(USE, [environmentId, userId, hash]))[0]?.count ?? null;
  }

  /** Undoes the count of an attempt with this code, if it is correct and was not used. */
  async takeBack(environmentId: EnvironmentId, userId: string, hash: Buffer): Promise<void> {
    await this.database.execute(TAKE_BACK_TRY, [environmentId, userId, hash]);
  }

  /** False when there were none. */
  async clear(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<boolean> {
    return (await tx.execute(CLEAR, [environmentId, userId])) > 0;
  }
}
