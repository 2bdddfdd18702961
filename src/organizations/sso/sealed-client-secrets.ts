import { Injectable } from '@nestjs/common';
import { KeyVault, SealedRecordsRegistry, SealedTable } from '../../vault/index.js';
import { ClientSecrets } from './client-secrets.js';
import { SealedClientSecretsRepository, type SealedClientSecretRow } from './sealed-client-secrets.repository.js';

/** Client secrets of identity providers, for master key rotation. */
@Injectable()
export class SealedClientSecrets extends SealedTable<SealedClientSecretRow> {
  readonly name = 'sso_providers.sealed_client_secret';

  constructor(
    rows: SealedClientSecretsRepository,
    private readonly secrets: ClientSecrets,
    vault: KeyVault,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, registry });
  }

  protected override async rewrap(row: SealedClientSecretRow): Promise<SealedClientSecretRow> {
    return { ...row, ...(await this.secrets.rewrap(row)) };
  }
}
