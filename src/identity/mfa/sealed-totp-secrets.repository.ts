import { Injectable } from '@nestjs/common';
import { Database, SealedColumns, type SealedRow } from '../../database/index.js';
import { MfaDeviceRow } from './mfa-device.entity.js';

type Key = 'environmentId' | 'id' | 'userId';
export type SealedTotpSecretRow = SealedRow<MfaDeviceRow, Key, 'sealedSecret'>;

/** Sealed secrets of devices, for master key rotation. */
@Injectable()
export class SealedTotpSecretsRepository extends SealedColumns<MfaDeviceRow, Key, 'sealedSecret'> {
  constructor(database: Database) {
    super(database, MfaDeviceRow, { key: ['environmentId', 'id', 'userId'], columns: ['sealedSecret'] });
  }
}
