import { Injectable } from '@nestjs/common';
import { Database, SealedColumns, type SealedRow } from '../../database/index.js';
import { WalletSecret } from './wallet-secret.entity.js';

type Key = 'environmentId' | 'id' | 'userId';

export type SealedWalletSecretRow = SealedRow<WalletSecret, Key, 'sealedSecret'>;

/** Secrets that open share copies, for master key rotation. */
@Injectable()
export class SealedWalletSecretsRepository extends SealedColumns<WalletSecret, Key, 'sealedSecret'> {
  constructor(database: Database) {
    super(database, WalletSecret, { key: ['environmentId', 'id', 'userId'], columns: ['sealedSecret'] });
  }
}
