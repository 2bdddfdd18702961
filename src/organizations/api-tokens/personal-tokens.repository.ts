import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { Database, asSystem, scopedStatement, type Transaction } from '../../database/index.js';
import { MAX_LIVE_TOKENS } from './api-token.errors.js';
import type { OpaqueToken } from './opaque-token.js';

/** A personal token as its owner sees it. */
export interface PersonalTokenRow {
  id: string;
  checksum: string;
  note: string;
  createdBy: string;
  createdAt: Date;
}

/** What a presented token proves. */
export interface RecognizedPersonalToken {
  tokenId: string;
  environmentId: string;
  userId: string;
}

const COLUMNS = 'id, checksum, note, user_id AS "createdBy", created_at AS "createdAt"';

const LIST = scopedStatement(
  'personalTokens.list',
  `SELECT ${COLUMNS} FROM personal_tokens WHERE environment_id = $1 AND user_id = $2 AND expires_at > now()
   ORDER BY created_at DESC, id DESC`,
);
/** Blocks deletion until the transaction ends, but not last-used updates. */
const HOLD = scopedStatement(
  'personalTokens.hold',
  `SELECT expires_at AS "expiresAt" FROM personal_tokens
   WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND expires_at > now() FOR KEY SHARE`,
);
const INSERT = scopedStatement(
  'personalTokens.insert',
  `INSERT INTO personal_tokens (environment_id, id, user_id, token_hash, checksum, note, expires_at)
   SELECT $1::uuid, $2::uuid, $3::uuid, $4::bytea, $5::text, $6::text, now() + interval '1 year'
   WHERE (SELECT count(*) FROM personal_tokens WHERE environment_id = $1 AND user_id = $3 AND expires_at > now())
     < ${MAX_LIVE_TOKENS}
   RETURNING ${COLUMNS}`,
);
const DELETE = scopedStatement(
  'personalTokens.delete',
  `DELETE FROM personal_tokens WHERE environment_id = $1 AND user_id = $2 AND id = $3
   RETURNING ${COLUMNS}, token_hash AS "tokenHash"`,
);
const DELETE_ALL = scopedStatement(
  'personalTokens.deleteAll',
  `DELETE FROM personal_tokens WHERE environment_id = $1 AND user_id = $2
   RETURNING ${COLUMNS}, token_hash AS "tokenHash"`,
);
const RECOGNIZE = asSystem('a personal token is how its owner becomes known').statement(
  'personalTokens.recognize',
  `SELECT id AS "tokenId", environment_id AS "environmentId", user_id AS "userId"
   FROM personal_tokens WHERE token_hash = $1 AND expires_at > now()`,
);
const TOUCH = scopedStatement(
  'personalTokens.touch',
  `UPDATE personal_tokens SET last_used_at = now() WHERE environment_id = $1 AND id = $2
   AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
);

@Injectable()
export class PersonalTokensRepository {
  constructor(private readonly database: Database) {}

  /** The user's unexpired tokens, newest first. */
  list(environmentId: EnvironmentId, userId: string): Promise<PersonalTokenRow[]> {
    return this.database.rows<PersonalTokenRow>(LIST, [environmentId, userId]);
  }

  /** Locks a token until the transaction ends and returns its expiry; null when deleted or expired. */
  async hold(
    environmentId: EnvironmentId,
    { userId, id }: { userId: string; id: string },
    tx: Transaction,
  ): Promise<Date | null> {
    return (await tx.rows<{ expiresAt: Date }>(HOLD, [environmentId, userId, id]))[0]?.expiresAt ?? null;
  }

  /** Null when the limit is reached; exact while the caller holds the lock on the environment. */
  async insert(
    environmentId: EnvironmentId,
    row: { id: string; userId: string; token: OpaqueToken; note: string },
    tx: Transaction,
  ): Promise<PersonalTokenRow | null> {
    const { id, userId, token, note } = row;
    const values = [environmentId, id, userId, token.hash, token.checksum, note];
    return (await tx.rows<PersonalTokenRow>(INSERT, values))[0] ?? null;
  }

  /** The deleted token, or null when the user has no such token. */
  async delete(
    environmentId: EnvironmentId,
    userId: string,
    id: string,
    tx: Transaction,
  ): Promise<(PersonalTokenRow & { tokenHash: Buffer }) | null> {
    const values = [environmentId, userId, id];
    return (await tx.rows<PersonalTokenRow & { tokenHash: Buffer }>(DELETE, values))[0] ?? null;
  }

  /** Deletes all tokens of a user, expired ones included. */
  deleteAll(
    environmentId: EnvironmentId,
    userId: string,
    tx: Transaction,
  ): Promise<(PersonalTokenRow & { tokenHash: Buffer })[]> {
    return tx.rows<PersonalTokenRow & { tokenHash: Buffer }>(DELETE_ALL, [environmentId, userId]);
  }

  async recognize(hash: Buffer): Promise<RecognizedPersonalToken | null> {
    return (await this.database.rows<RecognizedPersonalToken>(RECOGNIZE, [hash]))[0] ?? null;
  }

  touch({ environmentId, tokenId }: { environmentId: string; tokenId: string }): Promise<number> {
    return this.database.execute(TOUCH, [environmentId, tokenId]);
  }
}
