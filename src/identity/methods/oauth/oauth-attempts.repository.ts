import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId } from '../../../database/index.js';
import type { OauthAttempt } from './oauth-attempt.entity.js';

const BEGIN = scopedStatement(
  'oauthAttempts.begin',
  `INSERT INTO oauth_attempts
     (environment_id, state_hash, provider, redirect_url, browser_hash, code_challenge, sso_provider_id, sso_setup_hash,
      expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9))
   ON CONFLICT DO NOTHING`,
);

const FIND = scopedStatement(
  'oauthAttempts.find',
  `SELECT provider, redirect_url AS "redirectUrl", browser_hash AS "browserHash", code_challenge AS "codeChallenge",
     sso_provider_id AS "ssoProviderId", sso_setup_hash AS "ssoSetupHash", answer, error, expires_at <= now() AS "isExpired"
   FROM oauth_attempts WHERE environment_id = $1 AND state_hash = $2`,
);

/** Only the first answer counts, from the browser that the attempt is bound to. */
const ANSWER = scopedStatement(
  'oauthAttempts.answer',
  `UPDATE oauth_attempts SET answer = $5, issuer = $6, code_hash = $7, error = $8
   WHERE environment_id = $1 AND state_hash = $2 AND provider = $3 AND (browser_hash IS NULL OR browser_hash = $4)
     AND answer IS NULL AND error IS NULL AND expires_at > now()
   RETURNING redirect_url AS "redirectUrl"`,
);

/** Of concurrent calls one gets the row. */
const CONSUME = scopedStatement(
  'oauthAttempts.consume',
  `DELETE FROM oauth_attempts
   WHERE environment_id = $1 AND state_hash = $2 AND provider = $3 AND code_hash = $4
     AND (browser_hash = $5 OR code_challenge = $6) AND expires_at > now() AND sso_provider_id IS NOT DISTINCT FROM $7
   RETURNING answer, issuer, code_challenge AS "codeChallenge"`,
);

type Bound = 'provider' | 'redirectUrl' | 'browserHash' | 'codeChallenge' | 'ssoProviderId' | 'ssoSetupHash';

export type NewAttempt = Pick<OauthAttempt, 'stateHash' | Bound> & { ttlSeconds: number };

export type KnownAttempt = Pick<OauthAttempt, Bound | 'answer' | 'error'> & { isExpired: boolean };

export type AttemptAnswer = Pick<OauthAttempt, 'answer' | 'issuer' | 'codeHash' | 'error'>;

/** Identifies an attempt, with what the caller holds of its binding. */
export interface AttemptKey {
  stateHash: Buffer;
  provider: string;
  browserHash: Buffer | null;
}

/** What a client presents for an answered attempt. */
export interface ShownCode {
  codeHash: Buffer;
  codeChallenge: string | null;
}

/** An attempt that was taken; nobody else can get it. */
export interface TakenAttempt {
  answer: string;
  issuer: string | null;
  /** Null if it was bound to a browser. */
  codeChallenge: string | null;
}

@Injectable()
export class OauthAttemptsRepository {
  constructor(private readonly database: Database) {}

  /** False if an attempt with this state exists. */
  async begin(environmentId: EnvironmentId, attempt: NewAttempt): Promise<boolean> {
    const { stateHash, provider, redirectUrl, browserHash, codeChallenge, ttlSeconds } = attempt;
    const bound = [provider, redirectUrl, browserHash, codeChallenge, attempt.ssoProviderId, attempt.ssoSetupHash];
    const values = [environmentId, stateHash, ...bound, ttlSeconds];
    return (await this.database.execute(BEGIN, values)) === 1;
  }

  async find(environmentId: EnvironmentId, stateHash: Buffer): Promise<KnownAttempt | null> {
    return (await this.database.rows<KnownAttempt>(FIND, [environmentId, stateHash]))[0] ?? null;
  }

  /** Null if the attempt has expired, was answered, or belongs to another provider or browser. */
  async answer(
    environmentId: EnvironmentId,
    { stateHash, provider, browserHash }: AttemptKey,
    { answer, issuer, codeHash, error }: AttemptAnswer,
  ): Promise<Pick<OauthAttempt, 'redirectUrl'> | null> {
    const values = [environmentId, stateHash, provider, browserHash, answer, issuer, codeHash, error];
    return (await this.database.rows<Pick<OauthAttempt, 'redirectUrl'>>(ANSWER, values))[0] ?? null;
  }

  /** Uses up an attempt and returns the provider's answer, to one caller only. @param ssoProviderId the setup in use */
  async consume(
    environmentId: EnvironmentId,
    { stateHash, provider, browserHash }: AttemptKey,
    { codeHash, codeChallenge }: ShownCode,
    ssoProviderId: string | null,
  ): Promise<TakenAttempt | null> {
    const values = [environmentId, stateHash, provider, codeHash, browserHash, codeChallenge, ssoProviderId];
    return (await this.database.rows<TakenAttempt>(CONSUME, values))[0] ?? null;
  }
}
