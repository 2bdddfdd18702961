import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';

/** From the sending of the mail to the new passkey. */
export const RECOVERY_SECONDS = 900;
/** Attempts that are checked, right or wrong. */
export const RECOVERY_TRIES = 5;

/** The stored form of a code. */
export const codeHash = (code: string): Buffer => createHash('sha256').update(code).digest();

const CLOSE = scopedStatement(
  'passkeyRecoveries.endOpen',
  `UPDATE wallet_passkey_recoveries SET used_at = now()
   WHERE environment_id = $1 AND user_id = $2 AND used_at IS NULL`,
);

const HAS_PASSKEY = scopedStatement(
  'passkeyRecoveries.findPasskey',
  "SELECT FROM credentials WHERE environment_id = $1 AND user_id = $2 AND format = 'passkey' LIMIT 1",
);

const OPEN = scopedStatement(
  'passkeyRecoveries.insert',
  `INSERT INTO wallet_passkey_recoveries (environment_id, id, user_id, session_id, wallet_id, challenge_hash, expires_at)
   SELECT $1, $2, $3, $4, $5, $6, now() + make_interval(secs => ${RECOVERY_SECONDS})
   WHERE EXISTS (SELECT FROM credentials WHERE environment_id = $1 AND user_id = $3 AND format = 'passkey')`,
);

const TRY = scopedStatement(
  'passkeyRecoveries.countTry',
  `UPDATE wallet_passkey_recoveries SET tries = tries + 1
   WHERE environment_id = $1 AND user_id = $2 AND session_id = $3 AND wallet_id = $4 AND used_at IS NULL
     AND expires_at > now() AND tries < ${RECOVERY_TRIES}
   RETURNING id, challenge_hash AS "challengeHash"`,
);

const USE = scopedStatement(
  'passkeyRecoveries.redeem',
  `UPDATE wallet_passkey_recoveries SET used_at = now()
   WHERE environment_id = $1 AND id = $2 AND used_at IS NULL AND expires_at > now()`,
);

/** The recovering user and session, and the wallet. */
export interface RecoveryClaim {
  readonly userId: string;
  readonly sessionId: string;
  readonly walletId: string;
}

export interface TriedRecovery {
  readonly id: string;
  readonly challengeHash: Buffer;
}

@Injectable()
export class PasskeyRecoveriesRepository {
  constructor(private readonly database: Database) {}

  /** Whether the user has a passkey that a recovery could replace. */
  async hasPasskey(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<boolean> {
    return (await tx.rows(HAS_PASSKEY, [environmentId, userId])).length === 1;
  }

  /**
   * Opens a recovery in place of an open one. The caller must have locked the user, so that there is one at a time.
   * @returns false for a user without a passkey
   */
  async open(environmentId: EnvironmentId, recovery: RecoveryClaim & TriedRecovery, tx: Transaction): Promise<boolean> {
    const { id, userId, sessionId, walletId, challengeHash } = recovery;
    tx.send(CLOSE, [environmentId, userId]);
    return (await tx.execute(OPEN, [environmentId, id, userId, sessionId, walletId, challengeHash])) === 1;
  }

  /** Ends an open recovery: its code went to an address that codes no longer go to. */
  close(environmentId: EnvironmentId, userId: string, tx: Transaction): void {
    tx.send(CLOSE, [environmentId, userId]);
  }

  /** Counts a try; null when no recovery is open, or its tries are used up. */
  async take(environmentId: EnvironmentId, claim: RecoveryClaim): Promise<TriedRecovery | null> {
    const values = [environmentId, claim.userId, claim.sessionId, claim.walletId];
    return (await this.database.rows<TriedRecovery>(TRY, values))[0] ?? null;
  }

  /** True for the one call that completes it. */
  async use(environmentId: EnvironmentId, id: string, tx: Transaction): Promise<boolean> {
    return (await tx.execute(USE, [environmentId, id])) === 1;
  }
}
