import { Injectable } from '@nestjs/common';
import { scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';

const ADD = scopedStatement(
  'mfaTokens.add',
  `INSERT INTO mfa_tokens (environment_id, token_hash, user_id, session_id, single_use, expires_at)
   VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))`,
);
/** The first use binds a token to its action; a multi-use token is valid for this action only from then on. */
const USE = scopedStatement(
  'mfaTokens.consume',
  `UPDATE mfa_tokens SET action = $5 WHERE environment_id = $1 AND token_hash = $2 AND user_id = $3 AND session_id = $4
     AND expires_at > now() AND (action IS NULL OR (action = $5 AND NOT single_use))`,
);
const CLEAR = scopedStatement(
  'mfaTokens.removeAll',
  'DELETE FROM mfa_tokens WHERE environment_id = $1 AND user_id = $2',
);

export interface TokenHolder {
  userId: string;
  sessionId: string;
}

@Injectable()
export class MfaTokensRepository {
  async add(
    environmentId: EnvironmentId,
    { userId, sessionId }: TokenHolder,
    token: { hash: Buffer; singleUse: boolean; ttlSeconds: number },
    tx: Transaction,
  ): Promise<void> {
    await tx.execute(ADD, [environmentId, token.hash, userId, sessionId, token.singleUse, token.ttlSeconds]);
  }

  /** @returns true for as many callers as the token allows */
  async use(
    environmentId: EnvironmentId,
    { userId, sessionId }: TokenHolder,
    hash: Buffer,
    action: string,
    tx: Transaction,
  ): Promise<boolean> {
    return (await tx.execute(USE, [environmentId, hash, userId, sessionId, action])) === 1;
  }

  async clear(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<void> {
    await tx.execute(CLEAR, [environmentId, userId]);
  }
}
