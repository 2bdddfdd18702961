import { Injectable } from '@nestjs/common';
import { Database, SealedColumns, type SealedRow } from '../../database/index.js';
import { NameServiceRow } from './name-service.entity.js';

type Key = 'environmentId' | 'id';
export type SealedNameKeyRow = SealedRow<NameServiceRow, Key, 'sealedKey'>;

/** Sealed keys of name services, for master key rotation. */
@Injectable()
export class SealedNameKeysRepository extends SealedColumns<NameServiceRow, Key, 'sealedKey'> {
  constructor(database: Database) {
    super(database, NameServiceRow, { key: ['environmentId', 'id'], columns: ['sealedKey'] });
  }
}
