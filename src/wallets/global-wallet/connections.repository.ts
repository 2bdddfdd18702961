import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../../database/index.js';
import type { ConnectionStatus } from './connection.dto.js';
import { ConnectionRow } from './connection.entity.js';

/** Live connections per user; as many ended ones are kept besides. */
const MAX_CONNECTIONS = 100;

const COLUMNS = `environment_id AS "environmentId", id, user_id AS "userId", app_url AS "appUrl",
  expires_at AS "expiresAt", disconnected_at AS "disconnectedAt", created_at AS "createdAt", updated_at AS "updatedAt"`;
const IS_LIVE = '(disconnected_at IS NULL AND expires_at > now())';

const LOCK_USER = scopedStatement(
  'globalWalletConnections.lockUser',
  'SELECT id FROM users WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE',
);
const FORGET = scopedStatement(
  'globalWalletConnections.forgetOldest',
  `DELETE FROM global_wallet_connections WHERE environment_id = $1 AND id IN (
     SELECT id FROM global_wallet_connections WHERE environment_id = $1 AND user_id = $2 AND NOT ${IS_LIVE}
     ORDER BY updated_at DESC OFFSET ${MAX_CONNECTIONS})`,
);
const CONNECT = scopedStatement(
  'globalWalletConnections.recordConnected',
  `INSERT INTO global_wallet_connections (environment_id, id, user_id, app_url, expires_at)
   SELECT $1, $2, $3, $4, $5 WHERE (
     SELECT count(*) FROM global_wallet_connections
     WHERE environment_id = $1 AND user_id = $3 AND app_url <> $4 AND ${IS_LIVE}) < ${MAX_CONNECTIONS}
   ON CONFLICT (environment_id, user_id, app_url) DO UPDATE
   SET expires_at = excluded.expires_at, disconnected_at = NULL, updated_at = now()
   RETURNING ${COLUMNS}`,
);
const DISCONNECT = scopedStatement(
  'globalWalletConnections.end',
  `UPDATE global_wallet_connections SET disconnected_at = now(), updated_at = now()
   WHERE environment_id = $1 AND id = $2 AND user_id = $3 AND ${IS_LIVE} RETURNING ${COLUMNS}`,
);
const TABLE = 'global_wallet_connections';
/** Whether the team admits connections to the site now: the wallet is on, and the access control admits the site. */
const IS_ADMITTED = '($4::boolean AND ($5::text[] IS NULL OR (app_url ~ ANY ($5)) = $6::boolean))';
const COUNTS = `(${IS_LIVE} AND ${IS_ADMITTED})`;
const SHOWN = `${COLUMNS}, ${COUNTS} AS "isConnected"`;
const NEWEST_FIRST = 'ORDER BY id DESC LIMIT $2 OFFSET $3';
const LIST = scopedStatement(
  'globalWalletConnections.list',
  `SELECT ${SHOWN} FROM ${TABLE} WHERE environment_id = $1 ${NEWEST_FIRST}`,
);
const LIST_CONNECTED = scopedStatement(
  'globalWalletConnections.listConnected',
  `SELECT ${SHOWN} FROM ${TABLE}
   WHERE environment_id = $1 AND disconnected_at IS NULL AND expires_at > now() AND ${IS_ADMITTED} ${NEWEST_FIRST}`,
);
/** Each way to end has its own index. Live connections are only read where some site may not be admitted. */
const LIST_DISCONNECTED = scopedStatement(
  'globalWalletConnections.listDisconnected',
  `SELECT ${SHOWN} FROM (
     (SELECT * FROM ${TABLE} WHERE environment_id = $1 AND disconnected_at IS NOT NULL
      ORDER BY id DESC LIMIT $2::bigint + $3::bigint)
     UNION ALL
     (SELECT * FROM ${TABLE} WHERE environment_id = $1 AND disconnected_at IS NULL AND expires_at <= now()
      ORDER BY id DESC LIMIT $2::bigint + $3::bigint)
     UNION ALL
     (SELECT * FROM ${TABLE} WHERE environment_id = $1 AND disconnected_at IS NULL AND expires_at > now()
        AND (NOT $4::boolean OR $5::text[] IS NOT NULL) AND NOT ${IS_ADMITTED}
      ORDER BY id DESC LIMIT $2::bigint + $3::bigint)) AS ended ${NEWEST_FIRST}`,
);
const LIST_OF_USER = scopedStatement(
  'globalWalletConnections.listOfUser',
  `SELECT ${SHOWN} FROM ${TABLE}
   WHERE environment_id = $1 AND ($7::boolean IS NULL OR ${COUNTS} = $7) AND user_id = $8 ${NEWEST_FIRST}`,
);
const LISTS = { connected: LIST_CONNECTED, disconnected: LIST_DISCONNECTED } as const;

/** The current settings that decide about connections. */
export interface ConnectionTerms {
  isWalletOn: boolean;
  /** The sites in an access control, as PostgreSQL patterns; null where all sites are admitted. */
  sites: { patterns: readonly string[]; areAdmitted: boolean } | null;
}

export interface ConnectionSearch {
  userId?: string | undefined;
  status?: ConnectionStatus | undefined;
  limit: number;
  offset: number;
}

/** Sites that users have connected the global wallet to. */
@Injectable()
export class ConnectionsRepository extends ScopedRepository<ConnectionRow> {
  constructor(database: Database) {
    super(database, ConnectionRow);
  }

  /** Null when the user is at the limit. Connections of one user are serialised, so that the count is never too low. */
  async connect(
    environmentId: EnvironmentId,
    { id, userId, appUrl, expiresAt }: Pick<ConnectionRow, 'id' | 'userId' | 'appUrl' | 'expiresAt'>,
    tx: Transaction,
  ): Promise<ConnectionRow | null> {
    await tx.rows(LOCK_USER, [environmentId, userId]);
    await tx.execute(FORGET, [environmentId, userId]);
    return (await tx.rows<ConnectionRow>(CONNECT, [environmentId, id, userId, appUrl, expiresAt]))[0] ?? null;
  }

  /** Null when it is not connected, or belongs to another user. */
  async disconnect(
    environmentId: EnvironmentId,
    userId: string,
    id: string,
    tx: Transaction,
  ): Promise<ConnectionRow | null> {
    return (await tx.rows<ConnectionRow>(DISCONNECT, [environmentId, id, userId]))[0] ?? null;
  }

  /** Newest first. */
  page(
    environmentId: EnvironmentId,
    { userId, status, limit, offset }: ConnectionSearch,
    { isWalletOn, sites }: ConnectionTerms,
  ): Promise<(ConnectionRow & { isConnected: boolean })[]> {
    const terms = [isWalletOn, sites?.patterns ?? null, sites?.areAdmitted ?? null];
    const page = [environmentId, limit, offset, ...terms];
    if (userId === undefined) return this.database.rows(status ? LISTS[status] : LIST, page);
    const wanted = status === undefined ? null : status === 'connected';
    return this.database.rows(LIST_OF_USER, [...page, wanted, userId]);
  }
}
