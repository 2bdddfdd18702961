import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Executor,
  type Statement,
  type Transaction,
} from '../../../../database/index.js';
import { OauthToken } from './oauth-token.entity.js';

/**
 * Keeps only the newest tokens of an account: at most providers they invalidate earlier ones. Locks the user first, as
 * a link has done when it gets here; otherwise a sign-in beside it could deadlock.
 */
const KEEP = scopedStatement(
  'oauthTokens.store',
  `INSERT INTO oauth_tokens (environment_id, id, credential_id, user_id, provider, sealed_tokens, master_key_id, expires_at)
   SELECT $1, $2, $3, u.id, $5, $6, $7, $8 FROM users u
   WHERE u.environment_id = $1 AND u.id = $4 FOR NO KEY UPDATE
   ON CONFLICT (environment_id, credential_id) DO UPDATE SET id = excluded.id, user_id = excluded.user_id,
     sealed_tokens = excluded.sealed_tokens, master_key_id = excluded.master_key_id, expires_at = excluded.expires_at,
     refreshing_until = NULL, created_at = now()`,
);

/** One of many callers may refresh, while the tokens are still those it read. */
const BEGIN_REFRESH = scopedStatement(
  'oauthTokens.beginRefresh',
  `UPDATE oauth_tokens SET refreshing_until = now() + make_interval(secs => $4)
   WHERE environment_id = $1 AND credential_id = $2 AND id = $3
     AND (refreshing_until IS NULL OR refreshing_until <= now())`,
);

const END_REFRESH = scopedStatement(
  'oauthTokens.endRefresh',
  `UPDATE oauth_tokens SET refreshing_until = NULL WHERE environment_id = $1 AND credential_id = $2 AND id = $3`,
);

/** Replaces only the tokens that were exchanged: a sign-in in the meantime has brought newer ones. */
const REPLACE = scopedStatement(
  'oauthTokens.replace',
  `UPDATE oauth_tokens SET id = $4, sealed_tokens = $5, master_key_id = $6, expires_at = $7, refreshing_until = NULL,
     created_at = now()
   WHERE environment_id = $1 AND credential_id = $2 AND id = $3`,
);

/** The account determines the owner of the tokens, as a merge or a move gives it to another user. */
const find = (name: string, which: string): Statement =>
  scopedStatement(
    name,
    `SELECT t.environment_id AS "environmentId", t.id, t.credential_id AS "credentialId", c.user_id AS "userId",
       t.provider, t.sealed_tokens AS "sealedTokens", t.master_key_id AS "masterKeyId", t.expires_at AS "expiresAt",
       t.refreshing_until AS "refreshingUntil", t.created_at AS "createdAt",
       c.oauth_connection_id AS connection
     FROM oauth_tokens t JOIN credentials c ON c.environment_id = t.environment_id AND c.id = t.credential_id
     WHERE t.environment_id = $1 AND ${which}`,
  );
const FIND_OF_ACCOUNT = find('oauthTokens.findOfAccount', 't.credential_id = $2');
/** Earlier tokens of an account at a provider that has just been proven, whichever user has it. */
const FIND_EARLIER = find(
  'oauthTokens.findEarlier',
  `c.oauth_provider = $2 AND c.oauth_account_id = $3 AND c.oauth_connection_id IS NOT DISTINCT FROM $4::uuid
   ORDER BY t.created_at DESC LIMIT 1`,
);
const FIND_NEWEST = find(
  'oauthTokens.findNewest',
  'c.user_id = $2 AND t.provider = $3 ORDER BY t.created_at DESC LIMIT 1',
);

/** Tokens with the provider connection that issued them, taken from the account. */
export type FoundToken = OauthToken & { connection: string | null };

/** An account at a provider, and the connection it belongs to, if the provider has several. */
export interface ProvenAccount {
  subject: string;
  connection: string | null;
}

type Sealed = Pick<OauthToken, 'id' | 'provider' | 'sealedTokens' | 'masterKeyId' | 'expiresAt'>;

@Injectable()
export class OauthTokensRepository extends ScopedRepository<OauthToken> {
  constructor(database: Database) {
    super(database, OauthToken);
  }

  async findOfAccount(environmentId: EnvironmentId, credentialId: string): Promise<FoundToken | null> {
    return (await this.database.rows<FoundToken>(FIND_OF_ACCOUNT, [environmentId, credentialId]))[0] ?? null;
  }

  /** The tokens of the account at the provider that a user linked last. */
  async findNewest(environmentId: EnvironmentId, userId: string, provider: string): Promise<FoundToken | null> {
    return (await this.database.rows<FoundToken>(FIND_NEWEST, [environmentId, userId, provider]))[0] ?? null;
  }

  async findEarlier(
    environmentId: EnvironmentId,
    provider: string,
    account: ProvenAccount,
  ): Promise<FoundToken | null> {
    const values = [environmentId, provider, account.subject, account.connection];
    return (await this.database.rows<FoundToken>(FIND_EARLIER, values))[0] ?? null;
  }

  keep(
    environmentId: EnvironmentId,
    { userId, credentialId }: Pick<OauthToken, 'userId' | 'credentialId'>,
    { id, provider, sealedTokens, masterKeyId, expiresAt }: Sealed,
    tx: Transaction,
  ): void {
    const values = [environmentId, id, credentialId, userId, provider, sealedTokens, masterKeyId, expiresAt];
    tx.send(KEEP, values);
  }

  async beginRefresh(environmentId: EnvironmentId, row: OauthToken, seconds: number): Promise<boolean> {
    const values = [environmentId, row.credentialId, row.id, seconds];
    return (await this.database.execute(BEGIN_REFRESH, values)) === 1;
  }

  async endRefresh(environmentId: EnvironmentId, row: OauthToken): Promise<void> {
    await this.database.execute(END_REFRESH, [environmentId, row.credentialId, row.id]);
  }

  async replace(environmentId: EnvironmentId, row: OauthToken, sealed: Sealed, on: Executor): Promise<void> {
    const { id, sealedTokens, masterKeyId, expiresAt } = sealed;
    await on.execute(REPLACE, [environmentId, row.credentialId, row.id, id, sealedTokens, masterKeyId, expiresAt]);
  }
}
