import { Injectable } from '@nestjs/common';
import type { EnvironmentId, EnvironmentKind, TokenScope } from '../../auth/index.js';
import { Database, asSystem, scopedStatement, type Transaction } from '../../database/index.js';
import type { OpaqueToken } from './opaque-token.js';
import { MAX_LIVE_TOKENS } from './api-token.errors.js';

/** A token as its environment may see it. */
export interface ApiTokenRow {
  id: string;
  checksum: string;
  note: string;
  scopes: TokenScope[];
  createdBy: string;
  createdAt: Date;
}

/** What a presented token proves. */
export interface RecognizedApiToken {
  tokenId: string;
  environmentId: string;
  scopes: TokenScope[];
  createdBy: string;
  kind: EnvironmentKind;
  organizationId: string | null;
}

interface NewApiToken {
  id: string;
  token: OpaqueToken;
  note: string;
  scopes: readonly TokenScope[];
  createdBy: string;
}

const COLUMNS = 'id, checksum, note, scopes, created_by AS "createdBy", created_at AS "createdAt"';

const LIST = scopedStatement(
  'apiTokens.list',
  `SELECT ${COLUMNS} FROM api_tokens WHERE environment_id = $1 AND expires_at > now() ORDER BY created_at DESC, id DESC`,
);
const INSERT = scopedStatement(
  'apiTokens.insert',
  `INSERT INTO api_tokens (environment_id, id, token_hash, checksum, note, scopes, created_by, expires_at)
   SELECT $1::uuid, $2::uuid, $3::bytea, $4::text, $5::text, $6::text[], $7::uuid, now() + interval '1 year'
   WHERE (SELECT count(*) FROM api_tokens WHERE environment_id = $1 AND expires_at > now()) < ${MAX_LIVE_TOKENS}
   RETURNING ${COLUMNS}`,
);
const DELETE = scopedStatement(
  'apiTokens.delete',
  `DELETE FROM api_tokens WHERE environment_id = $1 AND id = $2 RETURNING ${COLUMNS}, token_hash AS "tokenHash"`,
);
const RECOGNIZE = asSystem('a token is how the environment of its call becomes known').statement(
  'apiTokens.recognize',
  `SELECT t.id AS "tokenId", t.environment_id AS "environmentId", t.scopes, t.created_by AS "createdBy",
     e.kind, e.organization_id AS "organizationId"
   FROM api_tokens t JOIN environments e ON e.id = t.environment_id AND e.deleted_at IS NULL
   WHERE t.token_hash = $1 AND t.expires_at > now()`,
);
const TOUCH = scopedStatement(
  'apiTokens.touch',
  `UPDATE api_tokens SET last_used_at = now() WHERE environment_id = $1 AND id = $2
   AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
);

@Injectable()
export class ApiTokensRepository {
  constructor(private readonly database: Database) {}

  /** The tokens that have not expired, newest first. */
  list(environmentId: EnvironmentId): Promise<ApiTokenRow[]> {
    return this.database.rows<ApiTokenRow>(LIST, [environmentId]);
  }

  /** Null when there are as many as there may be; exact while the caller holds the lock on the environment. */
  async insert(environmentId: EnvironmentId, row: NewApiToken, tx: Transaction): Promise<ApiTokenRow | null> {
    const { id, token, note, scopes, createdBy } = row;
    const values = [environmentId, id, token.hash, token.checksum, note, scopes, createdBy];
    return (await tx.rows<ApiTokenRow>(INSERT, values))[0] ?? null;
  }

  async delete(
    environmentId: EnvironmentId,
    id: string,
    tx: Transaction,
  ): Promise<(ApiTokenRow & { tokenHash: Buffer }) | null> {
    return (await tx.rows<ApiTokenRow & { tokenHash: Buffer }>(DELETE, [environmentId, id]))[0] ?? null;
  }

  async recognize(hash: Buffer): Promise<RecognizedApiToken | null> {
    return (await this.database.rows<RecognizedApiToken>(RECOGNIZE, [hash]))[0] ?? null;
  }

  touch({ environmentId, tokenId }: { environmentId: string; tokenId: string }): Promise<number> {
    return this.database.execute(TOUCH, [environmentId, tokenId]);
  }
}
