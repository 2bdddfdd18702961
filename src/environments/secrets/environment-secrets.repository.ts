import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { Database, ScopedRepository, scopedStatement, type Transaction } from '../../database/index.js';
import { EnvironmentSecret } from './environment-secret.entity.js';

const PUT = scopedStatement(
  'environmentSecrets.put',
  `INSERT INTO environment_secrets (environment_id, name, sealed_value, master_key_id) VALUES ($1, $2, $3, $4)
   ON CONFLICT (environment_id, name) DO UPDATE SET sealed_value = $3, master_key_id = $4, updated_at = now()`,
);

@Injectable()
export class EnvironmentSecretsRepository extends ScopedRepository<EnvironmentSecret> {
  constructor(database: Database) {
    super(database, EnvironmentSecret);
  }

  async put(
    environmentId: EnvironmentId,
    { name, sealedValue, masterKeyId }: Pick<EnvironmentSecret, 'name' | 'sealedValue' | 'masterKeyId'>,
    tx: Transaction,
  ): Promise<void> {
    await tx.execute(PUT, [environmentId, name, sealedValue, masterKeyId]);
  }
}
