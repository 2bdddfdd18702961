import { Injectable } from '@nestjs/common';
import { Database, SealedColumns, type SealedRow } from '../../database/index.js';
import { ProviderRow } from './provider.entity.js';

export type SealedProviderRow = SealedRow<ProviderRow, 'environmentId' | 'id', 'sealedSecret'>;

/** Sealed provider secrets, for master key rotation. */
@Injectable()
export class SealedProviderSecretsRepository extends SealedColumns<
  ProviderRow,
  'environmentId' | 'id',
  'sealedSecret'
> {
  constructor(database: Database) {
    super(database, ProviderRow, { key: ['environmentId', 'id'], columns: ['sealedSecret'] });
  }
}
