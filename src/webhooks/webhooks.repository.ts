import { Injectable } from '@nestjs/common';
import {
  asSystem,
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Transaction,
} from '../database/index.js';
import { WebhookEntity } from './webhook.entity.js';

/** A webhook as its own operations read it. */
export interface WebhookRow {
  environmentId: string;
  webhookId: string;
  url: string;
  events: string[];
  isEnabled: boolean;
  enabledAt: Date | null;
  version: string;
  createdAt: Date;
  updatedAt: Date;
}

const ROW = `environment_id AS "environmentId", id AS "webhookId", url, events, is_enabled AS "isEnabled",
  enabled_at AS "enabledAt", version, created_at AS "createdAt", updated_at AS "updatedAt"`;

const LIST = scopedStatement(
  'webhooks.list',
  `SELECT ${ROW} FROM webhooks WHERE environment_id = $1 AND deleted_at IS NULL ORDER BY id`,
);

const FIND = scopedStatement(
  'webhooks.find',
  `SELECT ${ROW}, sealed_secret AS "sealedSecret" FROM webhooks
   WHERE environment_id = $1 AND id = $2 AND deleted_at IS NULL`,
);

const LOCK_ONE = scopedStatement(
  'webhooks.lockOne',
  `SELECT ${ROW} FROM webhooks WHERE environment_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
);

const LOCK_ALL = scopedStatement(
  'webhooks.lockAll',
  `SELECT ${ROW} FROM webhooks WHERE environment_id = $1 AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE`,
);

const LOCK = asSystem('takes a lock that is named after the environment and touches no row').statement(
  'webhooks.lock',
  `SELECT pg_advisory_xact_lock(hashtextextended('webhooks of ' || $1::text, 0))`,
);

const INSERT = scopedStatement(
  'webhooks.insert',
  `INSERT INTO webhooks (environment_id, id, url, events, is_enabled, enabled_at, version, sealed_secret, master_key_id)
   SELECT $1, $2, $3, $4, $5, CASE WHEN $5 THEN now() END, $6, $7, $8
   WHERE (SELECT count(*) FROM webhooks WHERE environment_id = $1 AND deleted_at IS NULL) < $9
   RETURNING ${ROW}`,
);

const UPDATE = scopedStatement(
  'webhooks.update',
  `UPDATE webhooks SET url = $3, events = $4, is_enabled = $5,
     enabled_at = CASE WHEN $5 THEN COALESCE(enabled_at, now()) END,
     failing_since = CASE WHEN is_enabled AND url = $3 THEN failing_since END,
     failed_attempts = CASE WHEN is_enabled AND url = $3 THEN failed_attempts ELSE 0 END,
     updated_at = now()
   WHERE environment_id = $1 AND id = $2 AND deleted_at IS NULL
   RETURNING ${ROW}`,
);

const DELETE = scopedStatement(
  'webhooks.delete',
  `UPDATE webhooks SET deleted_at = now(), is_enabled = false, enabled_at = NULL, sealed_secret = '', updated_at = now()
   WHERE environment_id = $1 AND id = $2 AND deleted_at IS NULL
   RETURNING ${ROW}`,
);

const DISABLE = scopedStatement(
  'webhooks.disable',
  `UPDATE webhooks SET is_enabled = false, enabled_at = NULL, updated_at = now()
   WHERE environment_id = $1 AND id = $2 AND is_enabled AND url = $3
   RETURNING ${ROW}`,
);

export interface NewWebhook {
  id: string;
  url: string;
  events: readonly string[];
  isEnabled: boolean;
  version: string;
  sealedSecret: Buffer;
  masterKeyId: string;
}

/** Webhooks that are not deleted. */
@Injectable()
export class WebhooksRepository extends ScopedRepository<WebhookEntity> {
  constructor(database: Database) {
    super(database, WebhookEntity);
  }

  listAll(environmentId: EnvironmentId): Promise<WebhookRow[]> {
    return this.database.rows(LIST, [environmentId]);
  }

  async findOne(environmentId: EnvironmentId, id: string): Promise<(WebhookRow & { sealedSecret: Buffer }) | null> {
    const [row] = await this.database.rows<WebhookRow & { sealedSecret: Buffer }>(FIND, [environmentId, id]);
    return row ?? null;
  }

  /** The webhook, held against other changes until the transaction ends. */
  async lockOne(environmentId: EnvironmentId, id: string, tx: Transaction): Promise<WebhookRow | null> {
    return (await tx.rows<WebhookRow>(LOCK_ONE, [environmentId, id]))[0] ?? null;
  }

  /** All webhooks of the environment, oldest first, held as {@link lockOne} holds one; none is added meanwhile. */
  async lockAll(environmentId: EnvironmentId, tx: Transaction): Promise<WebhookRow[]> {
    await tx.execute(LOCK, [environmentId]);
    return tx.rows<WebhookRow>(LOCK_ALL, [environmentId]);
  }

  /** Null when the environment has `limit` webhooks. Creations of one environment wait for each other, so that none slips past. */
  async insertWithin(
    limit: number,
    environmentId: EnvironmentId,
    webhook: NewWebhook,
    tx: Transaction,
  ): Promise<WebhookRow | null> {
    const { id, url, events, isEnabled, version, sealedSecret, masterKeyId } = webhook;
    await tx.execute(LOCK, [environmentId]);
    const values = [environmentId, id, url, events, isEnabled, version, sealedSecret, masterKeyId, limit];
    return (await tx.rows<WebhookRow>(INSERT, values))[0] ?? null;
  }

  async change(
    environmentId: EnvironmentId,
    id: string,
    { url, events, isEnabled }: Pick<NewWebhook, 'url' | 'events' | 'isEnabled'>,
    tx: Transaction,
  ): Promise<WebhookRow | null> {
    return (await tx.rows<WebhookRow>(UPDATE, [environmentId, id, url, events, isEnabled]))[0] ?? null;
  }

  async markDeleted(environmentId: EnvironmentId, id: string, tx: Transaction): Promise<WebhookRow | null> {
    return (await tx.rows<WebhookRow>(DELETE, [environmentId, id]))[0] ?? null;
  }

  /** Null when it is disabled already, or has another address by now than the one that failed. */
  async disable(environmentId: EnvironmentId, id: string, url: string, tx: Transaction): Promise<WebhookRow | null> {
    return (await tx.rows<WebhookRow>(DISABLE, [environmentId, id, url]))[0] ?? null;
  }
}
