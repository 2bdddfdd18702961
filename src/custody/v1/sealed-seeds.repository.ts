import { Injectable } from '@nestjs/common';
import { Database, SealedColumns, type SealedRow } from '../../database/index.js';
import { WalletSeed } from './wallet-seed.entity.js';

export type SealedSeedRow = SealedRow<WalletSeed, 'environmentId' | 'id' | 'userId' | 'kind', 'sealedEntropy'>;

/** Sealed seeds and imported keys, for master key rotation. */
@Injectable()
export class SealedSeedsRepository extends SealedColumns<
  WalletSeed,
  'environmentId' | 'id' | 'userId' | 'kind',
  'sealedEntropy'
> {
  constructor(database: Database) {
    super(database, WalletSeed, { key: ['environmentId', 'id', 'userId', 'kind'], columns: ['sealedEntropy'] });
  }
}
