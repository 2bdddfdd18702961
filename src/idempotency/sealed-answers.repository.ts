import { Injectable } from '@nestjs/common';
import { asSystem, Database, type Transaction } from '../database/index.js';

export interface SealedRow {
  environmentId: string;
  id: string;
  sealedBody: Buffer;
  masterKeyId: string;
}

const COUNT = asSystem('the rotation of the master key covers every environment').statement(
  'idempotency.sealed.count',
  'SELECT count(*)::int AS count FROM idempotency_keys WHERE master_key_id <> $1',
);
const LOCK = asSystem('the rotation of the master key covers every environment').statement(
  'idempotency.sealed.lock',
  `SELECT environment_id AS "environmentId", id, sealed_body AS "sealedBody", master_key_id AS "masterKeyId"
   FROM idempotency_keys WHERE master_key_id <> $1 LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
);
const REPLACE = asSystem('the rotation of the master key covers every environment').statement(
  'idempotency.sealed.replace',
  `UPDATE idempotency_keys k SET sealed_body = r.sealed, master_key_id = r.key_id
   FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::text[]) AS r (environment_id, id, sealed, key_id)
   WHERE k.environment_id = r.environment_id AND k.id = r.id`,
);

/** Sealed answers across environments, for the rotation of the master key. */
@Injectable()
export class SealedAnswersRepository {
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
      rows.map(({ id }) => id),
      rows.map(({ sealedBody }) => sealedBody),
      rows.map(({ masterKeyId }) => masterKeyId),
    ]);
  }
}
