import { Injectable } from '@nestjs/common';
import { asSystem, Database, type Transaction } from '../database/index.js';
import type { SealedSecret, SecretHolder } from './webhook-secrets.js';

export type SealedRow = SecretHolder & SealedSecret;

const COUNT = asSystem('the rotation of the master key covers every environment').statement(
  'webhooks.secrets.count',
  `SELECT count(*)::int AS count FROM webhooks WHERE master_key_id <> $1 AND deleted_at IS NULL`,
);

const LOCK = asSystem('the rotation of the master key covers every environment').statement(
  'webhooks.secrets.lock',
  `SELECT environment_id AS "environmentId", id AS "webhookId", sealed_secret AS "sealedSecret",
     master_key_id AS "masterKeyId"
   FROM webhooks WHERE master_key_id <> $1 AND deleted_at IS NULL
   LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
);

const REPLACE = asSystem('the rotation of the master key covers every environment').statement(
  'webhooks.secrets.replace',
  `UPDATE webhooks w SET sealed_secret = r.sealed_secret, master_key_id = r.master_key_id
   FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::text[]) AS r (environment_id, id, sealed_secret, master_key_id)
   WHERE w.environment_id = r.environment_id AND w.id = r.id`,
);

/** Sealed secrets across environments, for the rotation of the master key. */
@Injectable()
export class SealedSecretsRepository {
  constructor(private readonly database: Database) {}

  async countOutdated(currentKeyId: string): Promise<number> {
    return (await this.database.rows<{ count: number }>(COUNT, [currentKeyId]))[0]?.count ?? 0;
  }

  /** Passes over rows that others hold. */
  lockOutdated(currentKeyId: string, limit: number, tx: Transaction): Promise<SealedRow[]> {
    return tx.rows(LOCK, [currentKeyId, limit]);
  }

  replace(rows: readonly SealedRow[], tx: Transaction): Promise<number> {
    return tx.execute(REPLACE, [
      rows.map(({ environmentId }) => environmentId),
      rows.map(({ webhookId }) => webhookId),
      rows.map(({ sealedSecret }) => sealedSecret),
      rows.map(({ masterKeyId }) => masterKeyId),
    ]);
  }
}
