import { Injectable } from '@nestjs/common';
import { KeyVault, SealedRecordsRegistry, SealedTable } from '../../vault/index.js';
import { ProviderSecrets } from './provider-secrets.js';
import { SealedProviderSecretsRepository, type SealedProviderRow } from './sealed-provider-secrets.repository.js';

/** Provider secrets, for master key rotation; rows without a secret have no key. */
@Injectable()
export class SealedProviderSecrets extends SealedTable<SealedProviderRow> {
  readonly name = 'providers.sealed_secret';

  constructor(
    rows: SealedProviderSecretsRepository,
    private readonly secrets: ProviderSecrets,
    vault: KeyVault,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, registry });
  }

  protected override async rewrap(row: SealedProviderRow): Promise<SealedProviderRow> {
    return row.sealedSecret
      ? { ...row, ...(await this.secrets.rewrap({ ...row, sealedSecret: row.sealedSecret })) }
      : row;
  }
}
