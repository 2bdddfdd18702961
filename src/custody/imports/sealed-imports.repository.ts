import { Injectable } from '@nestjs/common';
import { Database, SealedColumns, type SealedRow } from '../../database/index.js';
import { KeyImportRow } from './key-import.entity.js';

export type SealedImportRow = SealedRow<KeyImportRow, 'environmentId' | 'id' | 'userId', 'sealedKey'>;

/** Pending imports, for master key rotation. */
@Injectable()
export class SealedImportsRepository extends SealedColumns<
  KeyImportRow,
  'environmentId' | 'id' | 'userId',
  'sealedKey'
> {
  constructor(database: Database) {
    super(database, KeyImportRow, { key: ['environmentId', 'id', 'userId'], columns: ['sealedKey'] });
  }
}
