import { Injectable } from '@nestjs/common';
import { scopedStatement, type EnvironmentId, type Executor, type Transaction } from '../../database/index.js';

/** A session has one token at a time; the next is created once it has expired. */
const BEGIN = scopedStatement(
  'deviceConfirmations.begin',
  `INSERT INTO device_confirmations (environment_id, session_id, token_hash, expires_at)
   VALUES ($1, $2, $3, now() + make_interval(mins => $4))
   ON CONFLICT (environment_id, session_id) DO UPDATE
     SET token_hash = excluded.token_hash, expires_at = excluded.expires_at
     WHERE device_confirmations.expires_at <= now()`,
);
const TAKE = scopedStatement(
  'deviceConfirmations.take',
  `DELETE FROM device_confirmations
   WHERE environment_id = $1 AND session_id = $2 AND token_hash = $3 AND expires_at > now()`,
);

@Injectable()
export class DeviceConfirmationsRepository {
  /** True for the one call that must send the token. */
  async begin(
    environmentId: EnvironmentId,
    sessionId: string,
    token: { hash: Buffer; ttlMinutes: number },
    on: Executor,
  ): Promise<boolean> {
    return (await on.execute(BEGIN, [environmentId, sessionId, token.hash, token.ttlMinutes])) === 1;
  }

  /** True for the one call that uses up the token. */
  async take(environmentId: EnvironmentId, sessionId: string, tokenHash: Buffer, tx: Transaction): Promise<boolean> {
    return (await tx.execute(TAKE, [environmentId, sessionId, tokenHash])) === 1;
  }
}
