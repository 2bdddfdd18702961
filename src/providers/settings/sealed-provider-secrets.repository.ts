import { Injectable } from '@nestjs/common';
import { asSystem, Database, type Transaction } from '../../database/index.js';
import type { SealedSecret, SecretHolder } from './provider-secrets.js';

export type SealedRow = SecretHolder & SealedSecret;

const rotation = () => asSystem('the rotation of the master key covers every environment');

const COUNT = rotation().statement(
  'providers.secrets.count',
  'SELECT count(*)::int AS count FROM providers WHERE master_key_id <> $1',
);
const LOCK = rotation().statement(
  'providers.secrets.lock',
  `SELECT environment_id AS "environmentId", id, sealed_secret AS "sealedSecret", master_key_id AS "masterKeyId"
   FROM providers WHERE master_key_id <> $1 LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
);
const REPLACE = rotation().statement(
  'providers.secrets.replace',
  `UPDATE providers p SET sealed_secret = r.sealed, master_key_id = r.key_id
   FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::text[]) AS r (environment_id, id, sealed, key_id)
   WHERE p.environment_id = r.environment_id AND p.id = r.id`,
);

/** Sealed secrets across environments, for the rotation of the master key. */
@Injectable()
export class SealedProviderSecretsRepository {
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
      rows.map(({ sealedSecret }) => sealedSecret),
      rows.map(({ masterKeyId }) => masterKeyId),
    ]);
  }
}
