import { Injectable } from '@nestjs/common';
import { asSystem, Database, type Transaction } from '../../database/index.js';
import type { SealedSecret, SecretHolder } from './client-secrets.js';

export type SealedRow = SecretHolder & SealedSecret;

const COUNT = asSystem('the rotation of the master key covers every organization').statement(
  'ssoProviders.secrets.count',
  'SELECT count(*)::int AS count FROM sso_providers WHERE master_key_id <> $1',
);
const LOCK = asSystem('the rotation of the master key covers every organization').statement(
  'ssoProviders.secrets.lock',
  `SELECT organization_id AS "organizationId", id, sealed_client_secret AS "sealedClientSecret",
     master_key_id AS "masterKeyId"
   FROM sso_providers WHERE master_key_id <> $1 LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
);
const REPLACE = asSystem('the rotation of the master key covers every organization').statement(
  'ssoProviders.secrets.replace',
  `UPDATE sso_providers p SET sealed_client_secret = r.sealed, master_key_id = r.key_id
   FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::text[]) AS r (organization_id, id, sealed, key_id)
   WHERE p.organization_id = r.organization_id AND p.id = r.id`,
);

/** Sealed secrets across organizations, for the rotation of the master key. */
@Injectable()
export class SealedClientSecretsRepository {
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
      rows.map(({ organizationId }) => organizationId),
      rows.map(({ id }) => id),
      rows.map(({ sealedClientSecret }) => sealedClientSecret),
      rows.map(({ masterKeyId }) => masterKeyId),
    ]);
  }
}
