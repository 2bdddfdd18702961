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

/** Of one user at a time; as many that have ended are kept beside them. */
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
const page = (name: string, condition: string) =>
  scopedStatement(
    name,
    `SELECT ${COLUMNS} FROM global_wallet_connections
     WHERE environment_id = $1 AND ($4::boolean IS NULL OR ${IS_LIVE} = $4) AND ${condition}
     ORDER BY id DESC LIMIT $2 OFFSET $3`,
  );
const PAGE = page('globalWalletConnections.list', 'true');
const PAGE_OF_USER = page('globalWalletConnections.listOfUser', 'user_id = $5');

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

  /** Null when the user has as many as one may have. Connections of one user queue, so that none counts too few. */
  async connect(
    environmentId: EnvironmentId,
    { id, userId, appUrl, expiresAt }: Pick<ConnectionRow, 'id' | 'userId' | 'appUrl' | 'expiresAt'>,
    tx: Transaction,
  ): Promise<ConnectionRow | null> {
    await tx.rows(LOCK_USER, [environmentId, userId]);
    await tx.execute(FORGET, [environmentId, userId]);
    return (await tx.rows<ConnectionRow>(CONNECT, [environmentId, id, userId, appUrl, expiresAt]))[0] ?? null;
  }

  /** Null when it is not connected, or somebody else's. */
  async disconnect(
    environmentId: EnvironmentId,
    userId: string,
    id: string,
    tx: Transaction,
  ): Promise<ConnectionRow | null> {
    return (await tx.rows<ConnectionRow>(DISCONNECT, [environmentId, id, userId]))[0] ?? null;
  }

  /** The newest first. */
  page(environmentId: EnvironmentId, { userId, status, limit, offset }: ConnectionSearch): Promise<ConnectionRow[]> {
    const values = [environmentId, limit, offset, status === undefined ? null : status === 'connected'];
    return userId === undefined
      ? this.database.rows<ConnectionRow>(PAGE, values)
      : this.database.rows<ConnectionRow>(PAGE_OF_USER, [...values, userId]);
  }
}
