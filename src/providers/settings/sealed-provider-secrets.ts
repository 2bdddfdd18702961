import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Transaction } from '../../database/index.js';
import { KeyVault, SealedRecordsRegistry, SealedTable } from '../../vault/index.js';
import { ProviderSecrets } from './provider-secrets.js';
import { SealedProviderSecretsRepository, type SealedRow } from './sealed-provider-secrets.repository.js';

/** Secrets of providers as the rotation of the master key sees them. */
@Injectable()
export class SealedProviderSecrets extends SealedTable<Transaction, SealedRow> {
  readonly name = 'providers.sealed_secret';

  constructor(
    rows: SealedProviderSecretsRepository,
    private readonly secrets: ProviderSecrets,
    vault: KeyVault,
    work: UnitOfWork,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, work, registry });
  }

  protected override async rewrap(row: SealedRow): Promise<SealedRow> {
    return { ...row, ...(await this.secrets.rewrap(row)) };
  }
}
