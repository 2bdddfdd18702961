import { Injectable } from '@nestjs/common';
import { Database, SealedColumns, type SealedRow } from '../../database/index.js';
import { EnvironmentSecret } from './environment-secret.entity.js';

export type SealedSecretRow = SealedRow<EnvironmentSecret, 'environmentId' | 'name', 'sealedValue'>;

/** Sealed environment secrets, for master key rotation. */
@Injectable()
export class SealedEnvironmentSecretsRepository extends SealedColumns<
  EnvironmentSecret,
  'environmentId' | 'name',
  'sealedValue'
> {
  constructor(database: Database) {
    super(database, EnvironmentSecret, { key: ['environmentId', 'name'], columns: ['sealedValue'] });
  }
}
