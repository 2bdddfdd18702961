import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { GuardedAction } from '../../auth/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { FRESH_FACTOR_SECONDS } from './mfa-limits.js';
import { mfaTokenRefused } from './mfa.errors.js';
import { MfaTokensRepository, type TokenHolder } from './mfa-tokens.repository.js';

/** The actions that tokens can be used for. */
export type ProtectedAction = 'mfaDevice.delete' | GuardedAction;

const TOKEN_BYTES = 32;
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Tokens for a recent second factor, for one action by the same user in the same session. */
@Injectable()
export class MfaTokens {
  constructor(private readonly tokens: MfaTokensRepository) {}

  async create(
    environmentId: EnvironmentId,
    holder: TokenHolder,
    { singleUse }: { singleUse: boolean },
    tx: Transaction,
  ): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const stored = { hash: hashOf(token), singleUse, ttlSeconds: FRESH_FACTOR_SECONDS };
    await this.tokens.add(environmentId, holder, stored, tx);
    return token;
  }

  /** Used up when the transaction commits. @throws ApiError 401 `mfa_token_refused` */
  async use(
    environmentId: EnvironmentId,
    holder: TokenHolder,
    token: string,
    action: ProtectedAction,
    tx: Transaction,
  ): Promise<void> {
    if (!(await this.take(environmentId, holder, token, action, tx))) throw mfaTokenRefused();
  }

  /** The same for callers with their own error. @returns false for a token that is not valid for the action */
  take(
    environmentId: EnvironmentId,
    holder: TokenHolder,
    token: string,
    action: ProtectedAction,
    tx: Transaction,
  ): Promise<boolean> {
    return this.tokens.use(environmentId, holder, hashOf(token), action, tx);
  }
}
