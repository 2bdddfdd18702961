import { Injectable } from '@nestjs/common';
import {
  ROLES,
  roleReaches,
  type EnvironmentId,
  type EnvironmentKind,
  type OrganizationId,
  type Role,
  type TokenScope,
} from '../../auth/index.js';
import { Database, asSystem, scopedStatement, type Transaction } from '../../database/index.js';
import { ENFORCES_SSO } from '../environments/enforces-sso.js';
import type { OpaqueToken } from './opaque-token.js';
import { MAX_LIVE_TOKENS } from './api-token.errors.js';

/** A token as its environment sees it. */
export interface ApiTokenRow {
  id: string;
  checksum: string;
  note: string;
  scopes: TokenScope[];
  createdBy: string;
  createdAt: Date;
}

/** A token deleted together with its creator's membership. */
export type DepartedTokenRow = ApiTokenRow & { tokenHash: Buffer; environmentId: string };

/** A token in any environment of an organization, and whether its creator is a member. */
export type OrganizationTokenRow = ApiTokenRow & {
  environmentId: string;
  expiresAt: Date;
  lastUsedAt: Date | null;
  isOfMember: boolean;
};

export interface AskedTokens {
  /** Null for any creator. */
  createdBy: string | null;
  /** Whether the creator has left the organization; null for both. */
  left: boolean | null;
  /** The last id of the previous page. */
  before: string | null;
  limit: number;
}

export interface LiveApiToken {
  tokenId: string;
  environmentId: string;
  scopes: TokenScope[];
  createdBy: string;
  role: Role;
}

/** What a presented token proves. */
export interface RecognizedApiToken extends LiveApiToken {
  kind: EnvironmentKind;
  organizationId: string | null;
  enforcesSso: boolean;
}

interface NewApiToken {
  id: string;
  token: OpaqueToken;
  note: string;
  scopes: readonly TokenScope[];
  createdBy: string;
  /** Upper bound on the new token's role. */
  role: Role;
  /** When the calling token expires; null for a session and for the service. */
  until: Date | null;
}

const COLUMNS = 'id, checksum, note, scopes, created_by AS "createdBy", created_at AS "createdAt"';

const LIST = scopedStatement(
  'apiTokens.list',
  `SELECT ${COLUMNS} FROM api_tokens WHERE environment_id = $1 AND expires_at > now() ORDER BY created_at DESC, id DESC`,
);
/** Tokens created by an instance of the previous version have no role of their own. */
const ROLE = `COALESCE(t.role, (SELECT m.role FROM environments o JOIN members m ON m.organization_id = o.organization_id
     WHERE o.id = t.environment_id AND m.user_id = t.created_by), 'viewer') AS role`;
const FIND_LIVE = scopedStatement(
  'apiTokens.findLive',
  `SELECT id AS "tokenId", environment_id AS "environmentId", scopes, created_by AS "createdBy", ${ROLE}
   FROM api_tokens t WHERE environment_id = $1 AND id = $2 AND expires_at > now()`,
);
/** Blocks deletion until the transaction ends, but not last-used updates. */
const HOLD = scopedStatement(
  'apiTokens.hold',
  `SELECT expires_at AS "expiresAt", ${ROLE} FROM api_tokens t
   WHERE environment_id = $1 AND id = $2 AND expires_at > now() FOR KEY SHARE`,
);
const INSERT = scopedStatement(
  'apiTokens.insert',
  `INSERT INTO api_tokens (environment_id, id, token_hash, checksum, note, scopes, created_by, expires_at, role)
   SELECT $1::uuid, $2::uuid, $3::bytea, $4::text, $5::text, $6::text[], $7::uuid, least(now() + interval '1 year', $8::timestamptz), $9::text
   WHERE (SELECT count(*) FROM api_tokens WHERE environment_id = $1 AND expires_at > now()) < ${MAX_LIVE_TOKENS}
   RETURNING ${COLUMNS}`,
);
const DELETE = scopedStatement(
  'apiTokens.delete',
  `DELETE FROM api_tokens WHERE environment_id = $1 AND id = $2 RETURNING ${COLUMNS}, token_hash AS "tokenHash"`,
);
/** Live tokens of all environments of an organization. Ids grow with time, so they serve as order and cursor. */
const LIST_OF_ORGANIZATION = scopedStatement(
  'apiTokens.listOfOrganization',
  `SELECT t.id, t.checksum, t.note, t.scopes, t.created_by AS "createdBy", t.created_at AS "createdAt",
     t.expires_at AS "expiresAt", t.last_used_at AS "lastUsedAt", t.environment_id AS "environmentId", made.by_member AS "isOfMember"
   FROM environments e JOIN api_tokens t ON t.environment_id = e.id AND t.expires_at > now()
   CROSS JOIN LATERAL (
     SELECT EXISTS (SELECT FROM members m WHERE m.organization_id = $1 AND m.user_id = t.created_by) AS by_member) made
   WHERE e.organization_id = $1 AND e.deleted_at IS NULL AND ($2::uuid IS NULL OR t.created_by = $2)
     AND ($3::boolean IS NULL OR made.by_member = NOT $3) AND ($4::uuid IS NULL OR t.id < $4)
   ORDER BY t.id DESC LIMIT $5`,
);
/** Deletes one creator's tokens in the environments of an organization and returns each with its environment. */
const DELETE_MADE_BY = scopedStatement(
  'apiTokens.deleteMadeBy',
  `DELETE FROM api_tokens t USING environments e
   WHERE e.organization_id = $1 AND t.environment_id = e.id AND t.created_by = $2
   RETURNING t.id, t.checksum, t.note, t.scopes, t.created_by AS "createdBy", t.created_at AS "createdAt",
     t.token_hash AS "tokenHash", t.environment_id AS "environmentId"`,
);
/** Lowers the tokens of one creator that exceed a role to that role. */
const LOWER = scopedStatement(
  'apiTokens.setRole',
  `UPDATE api_tokens t SET role = $3 FROM environments e
   WHERE e.organization_id = $1 AND t.environment_id = e.id AND t.created_by = $2 AND (t.role = ANY ($4::text[]) OR t.role IS NULL)
   RETURNING t.token_hash AS "tokenHash"`,
);
const RECOGNIZE = asSystem('a token is how the environment of its call becomes known').statement(
  'apiTokens.recognize',
  `SELECT t.id AS "tokenId", t.environment_id AS "environmentId", t.scopes, t.created_by AS "createdBy", ${ROLE},
     e.kind, e.organization_id AS "organizationId", ${ENFORCES_SSO}
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

  /** The unexpired tokens of all environments, newest first. */
  listOfOrganization(organizationId: OrganizationId, asked: AskedTokens): Promise<OrganizationTokenRow[]> {
    const { createdBy, left, before, limit } = asked;
    return this.database.rows(LIST_OF_ORGANIZATION, [organizationId, createdBy, left, before, limit]);
  }

  /** Locks a token until the transaction ends and returns the limits it passes on; null when deleted or expired. */
  async hold(
    environmentId: EnvironmentId,
    id: string,
    tx: Transaction,
  ): Promise<{ expiresAt: Date; role: Role } | null> {
    return (await tx.rows<{ expiresAt: Date; role: Role }>(HOLD, [environmentId, id]))[0] ?? null;
  }

  /** Null when the limit is reached; exact while the caller holds the lock on the environment. */
  async insert(environmentId: EnvironmentId, row: NewApiToken, tx: Transaction): Promise<ApiTokenRow | null> {
    const { id, token, note, scopes, createdBy, until, role } = row;
    const values = [environmentId, id, token.hash, token.checksum, note, scopes, createdBy, until, role];
    return (await tx.rows<ApiTokenRow>(INSERT, values))[0] ?? null;
  }

  async delete(
    environmentId: EnvironmentId,
    id: string,
    tx: Transaction,
  ): Promise<(ApiTokenRow & { tokenHash: Buffer }) | null> {
    return (await tx.rows<ApiTokenRow & { tokenHash: Buffer }>(DELETE, [environmentId, id]))[0] ?? null;
  }

  deleteMadeBy(organizationId: OrganizationId, userId: string, tx: Transaction): Promise<DepartedTokenRow[]> {
    return tx.rows<DepartedTokenRow>(DELETE_MADE_BY, [organizationId, userId]);
  }

  /** @returns the hashes of the lowered tokens */
  async lowerMadeBy(organizationId: OrganizationId, userId: string, role: Role, tx: Transaction): Promise<Buffer[]> {
    const above = ROLES.values.filter((other) => !roleReaches(role, other));
    const rows = await tx.rows<{ tokenHash: Buffer }>(LOWER, [organizationId, userId, role, above]);
    return rows.map(({ tokenHash }) => tokenHash);
  }

  /** The current permissions of an environment token, by its id. */
  async findLive(environmentId: EnvironmentId, id: string): Promise<LiveApiToken | null> {
    return (await this.database.rows<LiveApiToken>(FIND_LIVE, [environmentId, id]))[0] ?? null;
  }

  async recognize(hash: Buffer): Promise<RecognizedApiToken | null> {
    return (await this.database.rows<RecognizedApiToken>(RECOGNIZE, [hash]))[0] ?? null;
  }

  touch({ environmentId, tokenId }: { environmentId: string; tokenId: string }): Promise<number> {
    return this.database.execute(TOUCH, [environmentId, tokenId]);
  }
}
