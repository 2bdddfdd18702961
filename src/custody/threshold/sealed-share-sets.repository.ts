import { Injectable } from '@nestjs/common';
import { Database, SealedColumns, type SealedRow } from '../../database/index.js';
import { KeyShareSet } from './key-share-set.entity.js';

export type SealedShareSetRow = SealedRow<KeyShareSet, 'environmentId' | 'id' | 'userId' | 'protocol', 'sealedShares'>;

/** Sealed shares, for master key rotation. */
@Injectable()
export class SealedShareSetsRepository extends SealedColumns<
  KeyShareSet,
  'environmentId' | 'id' | 'userId' | 'protocol',
  'sealedShares'
> {
  constructor(database: Database) {
    super(database, KeyShareSet, { key: ['environmentId', 'id', 'userId', 'protocol'], columns: ['sealedShares'] });
  }
}
