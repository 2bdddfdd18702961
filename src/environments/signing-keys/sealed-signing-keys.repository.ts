import { Injectable } from '@nestjs/common';
import { Database, SealedColumns, type SealedRow } from '../../database/index.js';
import { SigningKey } from './signing-key.entity.js';

export type SealedKeyRow = SealedRow<SigningKey, 'environmentId' | 'id', 'sealedPrivateKey'>;

/** Sealed private keys, for master key rotation. */
@Injectable()
export class SealedSigningKeysRepository extends SealedColumns<SigningKey, 'environmentId' | 'id', 'sealedPrivateKey'> {
  constructor(database: Database) {
    super(database, SigningKey, { key: ['environmentId', 'id'], columns: ['sealedPrivateKey'] });
  }
}
