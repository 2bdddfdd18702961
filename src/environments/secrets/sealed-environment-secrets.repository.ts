import { Injectable } from '@nestjs/common';
import { Database, asSystem, type Transaction } from '../../database/index.js';

/** A sealed secret of any environment. */
export interface SealedSecretRow {
  environmentId: string;
  name: string;
  sealedValue: Buffer;
  masterKeyId: string;
}

const COUNT = asSystem('a rotation of the master key passes over the secrets of all environments').statement(
  'environmentSecrets.countOutdated',
  'SELECT count(*)::int AS count FROM environment_secrets WHERE master_key_id <> $1',
);
const LOCK = asSystem('a rotation of the master key passes over the secrets of all environments').statement(
  'environmentSecrets.lockOutdated',
  `SELECT environment_id AS "environmentId", name, sealed_value AS "sealedValue",
     master_key_id AS "masterKeyId"
   FROM environment_secrets WHERE master_key_id <> $1
   ORDER BY environment_id, name LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
);
const REPLACE = asSystem('a rotation of the master key passes over the secrets of all environments').statement(
  'environmentSecrets.replaceSealed',
  `UPDATE environment_secrets k SET sealed_value = n.sealed, master_key_id = n.master_key_id
   FROM unnest($1::uuid[], $2::text[], $3::bytea[], $4::text[]) AS n (environment_id, name, sealed, master_key_id)
   WHERE k.environment_id = n.environment_id AND k.name = n.name`,
);

@Injectable()
export class SealedEnvironmentSecretsRepository {
  constructor(private readonly database: Database) {}

  async countOutdated(masterKeyId: string): Promise<number> {
    return (await this.database.rows<{ count: number }>(COUNT, [masterKeyId]))[0]!.count;
  }

  /** Rows that no other transaction holds. */
  lockOutdated(masterKeyId: string, limit: number, tx: Transaction): Promise<SealedSecretRow[]> {
    return tx.rows<SealedSecretRow>(LOCK, [masterKeyId, limit]);
  }

  replace(rows: readonly SealedSecretRow[], tx: Transaction): Promise<number> {
    return tx.execute(REPLACE, [
      rows.map(({ environmentId }) => environmentId),
      rows.map(({ name }) => name),
      rows.map(({ sealedValue }) => sealedValue),
      rows.map(({ masterKeyId }) => masterKeyId),
    ]);
  }
}
