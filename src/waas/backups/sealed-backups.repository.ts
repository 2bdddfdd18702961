import { Injectable } from '@nestjs/common';
import { Database, SealedColumns, type SealedRow } from '../../database/index.js';
import { KeyShareBackup } from './key-share-backup.entity.js';

type Key = 'environmentId' | 'id' | 'userId';

export type SealedBackupRow = SealedRow<KeyShareBackup, Key, 'sealedCredential'>;

/** Copies kept by the service, for master key rotation. */
@Injectable()
export class SealedBackupsRepository extends SealedColumns<KeyShareBackup, Key, 'sealedCredential'> {
  constructor(database: Database) {
    super(database, KeyShareBackup, { key: ['environmentId', 'id', 'userId'], columns: ['sealedCredential'] });
  }
}
