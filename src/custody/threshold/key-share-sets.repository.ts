import { Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';
import type { KeyShareSet } from './key-share-set.entity.js';

const INSERT = scopedStatement(
  'keyShareSets.insert',
  `INSERT INTO key_share_sets (environment_id, id, user_id, scheme, public_shares, sealed_shares, master_key_id)
   VALUES ($1, $2, $3, $4, $5, $6, $7)`,
);

const FIND = scopedStatement(
  'keyShareSets.find',
  `SELECT id, user_id AS "userId", scheme, public_shares AS "publicShares", sealed_shares AS "sealedShares"
   FROM key_share_sets WHERE environment_id = $1 AND user_id = $2 AND id = $3`,
);

export type LiveShares = Pick<KeyShareSet, 'id' | 'userId' | 'scheme' | 'publicShares' | 'sealedShares'>;

/** The service's shares of the keys of users. */
@Injectable()
export class KeyShareSetsRepository {
  constructor(private readonly database: Database) {}

  async insert(
    environmentId: EnvironmentId,
    set: LiveShares & Pick<KeyShareSet, 'masterKeyId'>,
    tx: Transaction,
  ): Promise<void> {
    const { id, userId, scheme, publicShares, sealedShares, masterKeyId } = set;
    const values = [environmentId, id, userId, scheme, JSON.stringify(publicShares), sealedShares, masterKeyId];
    await tx.execute(INSERT, values);
  }

  async find(environmentId: EnvironmentId, userId: string, keysId: string): Promise<LiveShares | null> {
    return (await this.database.rows<LiveShares>(FIND, [environmentId, userId, keysId]))[0] ?? null;
  }
}
