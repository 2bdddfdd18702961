import { Injectable } from '@nestjs/common';
import { Database, asSystem, type Transaction } from '../../database/index.js';

/** A sealed private key of any environment. */
export interface SealedKeyRow {
  environmentId: string;
  id: string;
  sealedPrivateKey: Buffer;
  masterKeyId: string;
}

const COUNT = asSystem('a rotation of the master key passes over the keys of all environments').statement(
  'signingKeys.countOutdated',
  'SELECT count(*)::int AS count FROM signing_keys WHERE master_key_id <> $1',
);
const LOCK = asSystem('a rotation of the master key passes over the keys of all environments').statement(
  'signingKeys.lockOutdated',
  `SELECT environment_id AS "environmentId", id, sealed_private_key AS "sealedPrivateKey",
     master_key_id AS "masterKeyId"
   FROM signing_keys WHERE master_key_id <> $1
   ORDER BY environment_id, id LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
);
const REPLACE = asSystem('a rotation of the master key passes over the keys of all environments').statement(
  'signingKeys.replaceSealed',
  `UPDATE signing_keys k SET sealed_private_key = n.sealed, master_key_id = n.master_key_id
   FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::text[]) AS n (environment_id, id, sealed, master_key_id)
   WHERE k.environment_id = n.environment_id AND k.id = n.id`,
);

@Injectable()
export class SealedSigningKeysRepository {
  constructor(private readonly database: Database) {}

  async countOutdated(masterKeyId: string): Promise<number> {
    return (await this.database.rows<{ count: number }>(COUNT, [masterKeyId]))[0]!.count;
  }

  /** Rows that no other transaction holds. */
  lockOutdated(masterKeyId: string, limit: number, tx: Transaction): Promise<SealedKeyRow[]> {
    return tx.rows<SealedKeyRow>(LOCK, [masterKeyId, limit]);
  }

  replace(rows: readonly SealedKeyRow[], tx: Transaction): Promise<number> {
    return tx.execute(REPLACE, [
      rows.map(({ environmentId }) => environmentId),
      rows.map(({ id }) => id),
      rows.map(({ sealedPrivateKey }) => sealedPrivateKey),
      rows.map(({ masterKeyId }) => masterKeyId),
    ]);
  }
}
