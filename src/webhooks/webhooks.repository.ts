import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  scopedStatement,
  type EnvironmentId,
  type Executor,
  type Transaction,
} from '../database/index.js';
import { MIXED_KEYS } from './webhook-secrets.js';
import type { SealedKeys } from './webhook-secrets.js';
import { WebhookEntity } from './webhook.entity.js';

/** A webhook as its own operations see it. */
export interface WebhookRow {
  environmentId: string;
  webhookId: string;
  url: string;
  events: string[];
  isEnabled: boolean;
  enabledAt: Date | null;
  publicKey: string | null;
  /** Null unless a rotation overlap is in progress. */
  previousSecretUntil: Date | null;
  headerNames: string[];
  ordering: 'none' | 'user';
  version: string;
  createdAt: Date;
  updatedAt: Date;
  sealedSecret: Buffer;
  sealedHeaders: Buffer | null;
}

const ROW = `environment_id AS "environmentId", id AS "webhookId", url, events, is_enabled AS "isEnabled",
  enabled_at AS "enabledAt", public_key AS "publicKey", header_names AS "headerNames", ordering, version,
  CASE WHEN previous_secret_until > now() THEN previous_secret_until END AS "previousSecretUntil",
  created_at AS "createdAt", updated_at AS "updatedAt", sealed_secret AS "sealedSecret",
  sealed_headers AS "sealedHeaders"`;

/** The row's vault key after sealing with `$1`: null leaves it unchanged, two different keys make it mixed. */
const keyAfter = (keyId: string): string =>
  `CASE WHEN ${keyId}::text IS NULL OR ${keyId} = master_key_id THEN master_key_id ELSE '${MIXED_KEYS}' END`;

const LIST = scopedStatement(
  'webhooks.list',
  `SELECT ${ROW} FROM webhooks WHERE environment_id = $1 AND deleted_at IS NULL ORDER BY id`,
);

const FIND = scopedStatement(
  'webhooks.find',
  `SELECT ${ROW} FROM webhooks WHERE environment_id = $1 AND id = $2 AND deleted_at IS NULL`,
);

const KEYS = scopedStatement(
  'webhooks.listKeys',
  `SELECT sealed_secret AS "sealedSecret", sealed_signing_key AS "sealedSigningKey", sealed_headers AS "sealedHeaders",
     CASE WHEN previous_secret_until > now() THEN sealed_previous_secret END AS "sealedPreviousSecret",
     CASE WHEN previous_secret_until > now() THEN sealed_previous_signing_key END AS "sealedPreviousSigningKey"
   FROM webhooks WHERE environment_id = $1 AND id = $2 AND deleted_at IS NULL`,
);

const LOCK_ONE = scopedStatement(
  'webhooks.lockOne',
  `SELECT ${ROW} FROM webhooks WHERE environment_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`,
);

const LOCK_ALL = scopedStatement(
  'webhooks.lockAll',
  `SELECT ${ROW} FROM webhooks WHERE environment_id = $1 AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE`,
);

const INSERT = scopedStatement(
  'webhooks.insert',
  `INSERT INTO webhooks (environment_id, id, url, events, is_enabled, enabled_at, version, sealed_secret,
     sealed_signing_key, public_key, sealed_headers, header_names, master_key_id, ordering)
   SELECT $1, $2, $3, $4, $5, CASE WHEN $5 THEN now() END, $6, $7, $8, $9, $10, $11, $12, COALESCE($14, 'none')
   WHERE (SELECT count(*) FROM webhooks WHERE environment_id = $1 AND deleted_at IS NULL) < $13
   RETURNING ${ROW}`,
);

/**
 * A webhook that already signs with a key pair keeps it; one that no longer asks for it loses it. Header fields were
 * given for one URL, so a new URL does not inherit them: they are sent again, or dropped.
 */
const UPDATE = scopedStatement(
  'webhooks.update',
  `UPDATE webhooks SET url = $3, events = $4, is_enabled = $5,
     enabled_at = CASE WHEN $5 THEN COALESCE(enabled_at, now()) END,
     failing_since = CASE WHEN is_enabled AND url = $3 THEN failing_since END,
     failed_attempts = CASE WHEN is_enabled AND url = $3 THEN failed_attempts ELSE 0 END,
     timeouts = CASE WHEN is_enabled AND url = $3 THEN timeouts ELSE 0 END,
     paused_until = CASE WHEN is_enabled AND url = $3 THEN paused_until END,
     sealed_signing_key = CASE WHEN $6::boolean THEN COALESCE(sealed_signing_key, $7)
       WHEN $6 IS NULL THEN sealed_signing_key END,
     public_key = CASE WHEN $6 THEN COALESCE(public_key, $8) WHEN $6 IS NULL THEN public_key END,
     sealed_previous_signing_key = CASE WHEN $6 IS NULL OR $6 THEN sealed_previous_signing_key END,
     sealed_headers = CASE WHEN $10::text[] IS NOT NULL THEN $9 WHEN url = $3 THEN sealed_headers END,
     header_names = COALESCE($10, CASE WHEN url = $3 THEN header_names ELSE '{}' END),
     master_key_id = ${keyAfter('$11')}, ordering = COALESCE($12, ordering), updated_at = now()
   WHERE environment_id = $1 AND id = $2 AND deleted_at IS NULL
   RETURNING ${ROW}`,
);

/** Only one of several concurrent rotations takes effect: its overlap blocks the others, unless they want none. */
const ROTATE = scopedStatement(
  'webhooks.rotate',
  `UPDATE webhooks SET
     sealed_previous_secret = CASE WHEN $3::int > 0 THEN sealed_secret END,
     sealed_previous_signing_key = CASE WHEN $3 > 0 THEN sealed_signing_key END,
     previous_secret_until = CASE WHEN $3 > 0 THEN now() + $3 * interval '1 hour' END,
     sealed_secret = $4,
     sealed_signing_key = CASE WHEN sealed_signing_key IS NOT NULL THEN $5::bytea END,
     public_key = CASE WHEN sealed_signing_key IS NOT NULL THEN $6 END,
     master_key_id = ${keyAfter('$7')}, updated_at = now()
   WHERE environment_id = $1 AND id = $2 AND deleted_at IS NULL
     AND ($3 = 0 OR previous_secret_until IS NULL OR previous_secret_until <= now())
   RETURNING ${ROW}`,
);

const DELETE = scopedStatement(
  'webhooks.delete',
  `UPDATE webhooks SET deleted_at = now(), is_enabled = false, enabled_at = NULL, sealed_secret = '',
     sealed_previous_secret = NULL, previous_secret_until = NULL, sealed_signing_key = NULL,
     sealed_previous_signing_key = NULL, sealed_headers = NULL, updated_at = now()
   WHERE environment_id = $1 AND id = $2 AND deleted_at IS NULL
   RETURNING ${ROW}`,
);

const DISABLE = scopedStatement(
  'webhooks.disable',
  `UPDATE webhooks SET is_enabled = false, enabled_at = NULL, updated_at = now()
   WHERE environment_id = $1 AND id = $2 AND is_enabled AND url = $3
   RETURNING ${ROW}`,
);

/** Newly sealed values of a webhook, and the vault key they are under. */
export interface Sealed {
  signingKey: { sealed: Buffer; publicKey: string } | null;
  headers: { sealed: Buffer | null; names: string[] } | null;
  masterKeyId: string | null;
}

export interface NewWebhook {
  id: string;
  url: string;
  events: readonly string[];
  isEnabled: boolean;
  version: string;
  sealedSecret: Buffer;
  /** If omitted: unchanged on update, `none` on creation. */
  ordering?: 'none' | 'user';
  sealed: Sealed;
}

/** The parts of a webhook that a change replaces. */
export interface WebhookChange extends Pick<NewWebhook, 'url' | 'events' | 'isEnabled' | 'ordering' | 'sealed'> {
  /** Whether it also signs with a key pair; null leaves that unchanged. */
  signsWithKeyPair: boolean | null;
}

/** What a rotation activates; the key pair only if the webhook has one. */
export interface RotatedKeys {
  sealedSecret: Buffer;
  signingKey: { sealed: Buffer; publicKey: string };
  masterKeyId: string;
}

/** Webhooks, except deleted ones. */
@Injectable()
export class WebhooksRepository extends ScopedRepository<WebhookEntity> {
  constructor(database: Database) {
    super(database, WebhookEntity);
  }

  listAll(environmentId: EnvironmentId): Promise<WebhookRow[]> {
    return this.database.rows(LIST, [environmentId]);
  }

  async findOne(environmentId: EnvironmentId, id: string, on: Executor = this.database): Promise<WebhookRow | null> {
    return (await on.rows<WebhookRow>(FIND, [environmentId, id]))[0] ?? null;
  }

  /** The sealed keys and header fields for requests to it. */
  async findKeys(environmentId: EnvironmentId, id: string): Promise<SealedKeys | null> {
    return (await this.database.rows<SealedKeys>(KEYS, [environmentId, id]))[0] ?? null;
  }

  /** The webhook, locked against other changes until the transaction ends. */
  async lockOne(environmentId: EnvironmentId, id: string, tx: Transaction): Promise<WebhookRow | null> {
    return (await tx.rows<WebhookRow>(LOCK_ONE, [environmentId, id]))[0] ?? null;
  }

  /** All webhooks of the environment, oldest first, locked as by {@link lockOne}; none can be added meanwhile. */
  async lockAll(environmentId: EnvironmentId, tx: Transaction): Promise<WebhookRow[]> {
    await this.lockTenant(environmentId, tx);
    return tx.rows<WebhookRow>(LOCK_ALL, [environmentId]);
  }

  /** Null if the environment has `limit` webhooks. Its creations are serialised, so that none exceeds it. */
  async insertWithin(
    limit: number,
    environmentId: EnvironmentId,
    webhook: NewWebhook,
    tx: Transaction,
  ): Promise<WebhookRow | null> {
    const { id, url, events, isEnabled, version, sealedSecret, sealed } = webhook;
    const { signingKey, headers, masterKeyId } = sealed;
    await this.lockTenant(environmentId, tx);
    const keys = [signingKey?.sealed ?? null, signingKey?.publicKey ?? null];
    const fields = [headers?.sealed ?? null, headers?.names ?? []];
    const values = [environmentId, id, url, events, isEnabled, version, sealedSecret, ...keys, ...fields];
    return (await tx.rows<WebhookRow>(INSERT, [...values, masterKeyId, limit, webhook.ordering ?? null]))[0] ?? null;
  }

  async change(
    environmentId: EnvironmentId,
    id: string,
    { url, events, isEnabled, ordering, signsWithKeyPair, sealed }: WebhookChange,
    tx: Transaction,
  ): Promise<WebhookRow | null> {
    const { signingKey, headers, masterKeyId } = sealed;
    const keys = [signsWithKeyPair, signingKey?.sealed ?? null, signingKey?.publicKey ?? null];
    const fields = [headers?.sealed ?? null, headers?.names ?? null];
    const values = [environmentId, id, url, events, isEnabled, ...keys, ...fields, masterKeyId, ordering ?? null];
    return (await tx.rows<WebhookRow>(UPDATE, values))[0] ?? null;
  }

  /** Null if the last rotation's overlap is still in progress and `overlapHours` is not 0. */
  async rotate(
    environmentId: EnvironmentId,
    id: string,
    overlapHours: number,
    { sealedSecret, signingKey, masterKeyId }: RotatedKeys,
    tx: Transaction,
  ): Promise<WebhookRow | null> {
    const values = [sealedSecret, signingKey.sealed, signingKey.publicKey, masterKeyId];
    return (await tx.rows<WebhookRow>(ROTATE, [environmentId, id, overlapHours, ...values]))[0] ?? null;
  }

  async markDeleted(environmentId: EnvironmentId, id: string, tx: Transaction): Promise<WebhookRow | null> {
    return (await tx.rows<WebhookRow>(DELETE, [environmentId, id]))[0] ?? null;
  }

  /** Null if it is already disabled, or its URL is no longer the one that failed. */
  async disable(environmentId: EnvironmentId, id: string, url: string, tx: Transaction): Promise<WebhookRow | null> {
    return (await tx.rows<WebhookRow>(DISABLE, [environmentId, id, url]))[0] ?? null;
  }
}
