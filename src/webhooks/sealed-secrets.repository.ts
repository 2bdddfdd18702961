import { Injectable } from '@nestjs/common';
import { asSystem, Database, type Transaction } from '../database/index.js';
import type { SealedKeys, SecretHolder } from './webhook-secrets.js';

export type SealedRow = SecretHolder & SealedKeys;

const COUNT = asSystem('the rotation of the master key covers every environment').statement(
  'webhooks.secrets.count',
  `SELECT count(*)::int AS count FROM webhooks WHERE master_key_id <> $1 AND deleted_at IS NULL`,
);

const LOCK = asSystem('the rotation of the master key covers every environment').statement(
  'webhooks.secrets.lock',
  `SELECT environment_id AS "environmentId", id AS "webhookId", sealed_secret AS "sealedSecret",
     sealed_previous_secret AS "sealedPreviousSecret", sealed_signing_key AS "sealedSigningKey",
     sealed_previous_signing_key AS "sealedPreviousSigningKey", sealed_headers AS "sealedHeaders"
   FROM webhooks WHERE master_key_id <> $1 AND deleted_at IS NULL
   LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
);

const REPLACE = asSystem('the rotation of the master key covers every environment').statement(
  'webhooks.secrets.replace',
  `UPDATE webhooks w SET master_key_id = $1, sealed_secret = r.secret, sealed_previous_secret = r.previous_secret,
     sealed_signing_key = r.signing_key, sealed_previous_signing_key = r.previous_signing_key, sealed_headers = r.headers
   FROM unnest($2::uuid[], $3::uuid[], $4::bytea[], $5::bytea[], $6::bytea[], $7::bytea[], $8::bytea[])
     AS r (environment_id, id, secret, previous_secret, signing_key, previous_signing_key, headers)
   WHERE w.environment_id = r.environment_id AND w.id = r.id`,
);

const WIPE = asSystem('a secret whose time is over is nobody’s').statement(
  'webhooks.secrets.wipe',
  `UPDATE webhooks SET sealed_previous_secret = NULL, sealed_previous_signing_key = NULL, previous_secret_until = NULL
   WHERE previous_secret_until <= now()`,
);

/** Sealed secrets across environments: the rotation of the master key, and the end of those that were replaced. */
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

  /** @param keyId what all of them are under from now on */
  replace(rows: readonly SealedRow[], tx: Transaction, keyId: string): Promise<number> {
    const column = <K extends keyof SealedRow>(name: K): SealedRow[K][] => rows.map((row) => row[name]);
    return tx.execute(REPLACE, [
      keyId,
      column('environmentId'),
      column('webhookId'),
      column('sealedSecret'),
      column('sealedPreviousSecret'),
      column('sealedSigningKey'),
      column('sealedPreviousSigningKey'),
      column('sealedHeaders'),
    ]);
  }

  /** Forgets secrets that no longer sign. */
  async wipeExpired(): Promise<void> {
    await this.database.execute(WIPE, []);
  }
}
