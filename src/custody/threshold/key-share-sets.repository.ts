import { Inject, Injectable } from '@nestjs/common';
import { Database, scopedStatement, type EnvironmentId, type Transaction } from '../../database/index.js';
import { SIGNER_CALLS, type SignerCalls } from '../../vault/index.js';
import type { KeyShareSet } from './key-share-set.entity.js';

const INSERT = scopedStatement(
  'keyShareSets.insert',
  `INSERT INTO key_share_sets (environment_id, id, user_id, scheme, public_shares, sealed_shares, master_key_id,
     dealt, protocol)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

const FIND = scopedStatement(
  'keyShareSets.find',
  `SELECT id, user_id AS "userId", scheme, protocol, generation, dealt, public_shares AS "publicShares", sealed_shares AS "sealedShares"
   FROM key_share_sets WHERE environment_id = $1 AND user_id = $2 AND id = $3`,
);

// For a signer that reads the sealed column itself: omits it, since the service's role may not read it then.
const FIND_UNREAD = scopedStatement(
  'keyShareSets.findUnread',
  `SELECT id, user_id AS "userId", scheme, protocol, generation, dealt, public_shares AS "publicShares", ''::bytea AS "sealedShares"
   FROM key_share_sets WHERE environment_id = $1 AND user_id = $2 AND id = $3`,
);

// The statement that stores the new shares destroys the old ones.
const REPLACE = scopedStatement(
  'keyShareSets.replace',
  `UPDATE key_share_sets SET generation = generation + 1, scheme = $5, public_shares = $6, sealed_shares = $7,
     master_key_id = $8, dealt = false
   WHERE environment_id = $1 AND user_id = $2 AND id = $3 AND generation = $4
     AND public_shares->'commitments'->>0 = $6::jsonb->'commitments'->>0`,
);

// Anyone changing the shares waits until the transaction ends.
const HOLD = scopedStatement(
  'keyShareSets.hold',
  `SELECT scheme, generation FROM key_share_sets WHERE environment_id = $1 AND user_id = $2 AND id = $3
   FOR NO KEY UPDATE`,
);

export type LiveShares = Pick<
  KeyShareSet,
  'id' | 'userId' | 'scheme' | 'protocol' | 'generation' | 'dealt' | 'publicShares' | 'sealedShares'
>;

export type NewShares = Omit<LiveShares, 'protocol' | 'generation' | 'dealt'> & Pick<KeyShareSet, 'masterKeyId'>;
export type HeldShares = Pick<KeyShareSet, 'scheme' | 'generation'>;

/** The service's shares of users' keys. */
@Injectable()
export class KeyShareSetsRepository {
  constructor(
    private readonly database: Database,
    @Inject(SIGNER_CALLS) private readonly signer: SignerCalls | null,
  ) {}

  async insert(
    environmentId: EnvironmentId,
    { dealt, protocol, ...set }: NewShares & Pick<KeyShareSet, 'dealt' | 'protocol'>,
    tx: Transaction,
  ): Promise<void> {
    const { id, userId, scheme, publicShares, sealedShares, masterKeyId } = set;
    const values = [environmentId, id, userId, scheme, JSON.stringify(publicShares), sealedShares, masterKeyId];
    await tx.execute(INSERT, [...values, dealt, protocol]);
  }

  /** Replaces the shares of the given generation of the same key. True for the caller that does so. */
  async replace(environmentId: EnvironmentId, generation: number, set: NewShares, tx: Transaction): Promise<boolean> {
    const { id, userId, scheme, publicShares, sealedShares, masterKeyId } = set;
    const place = [environmentId, userId, id, generation];
    const values = [...place, scheme, JSON.stringify(publicShares), sealedShares, masterKeyId];
    return (await tx.execute(REPLACE, values)) === 1;
  }

  /** `sealedShares` is empty if the signer reads them, by the generation returned with them. */
  async find(environmentId: EnvironmentId, userId: string, keysId: string): Promise<LiveShares | null> {
    const statement = this.signer?.readsRows ? FIND_UNREAD : FIND;
    return (await this.database.rows<LiveShares>(statement, [environmentId, userId, keysId]))[0] ?? null;
  }

  /** Locks the set until the end of the transaction; one holder at a time. */
  async hold(
    environmentId: EnvironmentId,
    userId: string,
    keysId: string,
    tx: Transaction,
  ): Promise<HeldShares | null> {
    return (await tx.rows<HeldShares>(HOLD, [environmentId, userId, keysId]))[0] ?? null;
  }
}
