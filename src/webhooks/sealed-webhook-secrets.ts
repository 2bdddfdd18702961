import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Transaction } from '../database/index.js';
import { KeyVault, SealedRecordsRegistry, SealedTable } from '../vault/index.js';
import { SealedSecretsRepository, type SealedRow } from './sealed-secrets.repository.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** The secrets, keys and header fields of webhooks as the rotation of the master key sees them. */
@Injectable()
export class SealedWebhookSecrets extends SealedTable<Transaction, SealedRow> {
  readonly name = 'webhooks.sealed_secret';

  constructor(
    rows: SealedSecretsRepository,
    private readonly secrets: WebhookSecrets,
    vault: KeyVault,
    work: UnitOfWork,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, work, registry });
  }

  protected override async rewrap(row: SealedRow): Promise<SealedRow> {
    const { secrets } = this;
    return {
      ...row,
      sealedSecret: await secrets.rewrap(row.sealedSecret, row, 'signing-secret'),
      sealedPreviousSecret: await secrets.rewrap(row.sealedPreviousSecret, row, 'signing-secret'),
      sealedSigningKey: await secrets.rewrap(row.sealedSigningKey, row, 'signing-key'),
      sealedPreviousSigningKey: await secrets.rewrap(row.sealedPreviousSigningKey, row, 'signing-key'),
      sealedHeaders: await secrets.rewrap(row.sealedHeaders, row, 'headers'),
    };
  }
}
