import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Transaction } from '../../database/index.js';
import { KeyVault, SealedRecordsRegistry, SealedTable } from '../../vault/index.js';
import { ClientSecrets } from './client-secrets.js';
import { SealedClientSecretsRepository, type SealedRow } from './sealed-client-secrets.repository.js';

/** Client secrets of identity providers as the rotation of the master key sees them. */
@Injectable()
export class SealedClientSecrets extends SealedTable<Transaction, SealedRow> {
  readonly name = 'sso_providers.sealed_client_secret';

  constructor(
    rows: SealedClientSecretsRepository,
    private readonly secrets: ClientSecrets,
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
