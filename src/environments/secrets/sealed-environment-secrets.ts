import { Injectable } from '@nestjs/common';
import { Envelope, KeyVault, SealedRecordsRegistry, SealedTable } from '../../vault/index.js';
import { SealedEnvironmentSecretsRepository, type SealedSecretRow } from './sealed-environment-secrets.repository.js';
import { environmentSecretContext } from './environment-secrets.js';

/** Environment secrets, for master key rotation. */
@Injectable()
export class SealedEnvironmentSecrets extends SealedTable<SealedSecretRow> {
  readonly name = 'environment_secrets.sealed_value';

  constructor(
    rows: SealedEnvironmentSecretsRepository,
    private readonly envelope: Envelope,
    vault: KeyVault,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, registry });
  }

  protected override async rewrap(row: SealedSecretRow): Promise<SealedSecretRow> {
    const context = environmentSecretContext(row.environmentId, row.name);
    const sealedValue = (await this.envelope.rewrap(row.sealedValue, context)) ?? row.sealedValue;
    return { ...row, sealedValue, masterKeyId: this.envelope.keyIdOf(sealedValue) };
  }
}
