import { Injectable } from '@nestjs/common';
import { Database, SealedColumns, type SealedRow } from '../../database/index.js';
import { SsoProviderRow } from './sso-provider.entity.js';

export type SealedClientSecretRow = SealedRow<SsoProviderRow, 'organizationId' | 'id', 'sealedClientSecret'>;

/** Sealed client secrets, for master key rotation. */
@Injectable()
export class SealedClientSecretsRepository extends SealedColumns<
  SsoProviderRow,
  'organizationId' | 'id',
  'sealedClientSecret'
> {
  constructor(database: Database) {
    super(database, SsoProviderRow, { key: ['organizationId', 'id'], columns: ['sealedClientSecret'] });
  }
}
