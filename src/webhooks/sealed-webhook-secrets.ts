import { Injectable } from '@nestjs/common';
import { KeyVault, SealedRecordsRegistry, SealedTable } from '../vault/index.js';
import { SealedSecretsRepository, type SealedWebhookRow } from './sealed-secrets.repository.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** The secrets, keys and header fields of webhooks, as master key rotation sees them. */
@Injectable()
export class SealedWebhookSecrets extends SealedTable<SealedWebhookRow> {
  readonly name = 'webhooks.sealed_secret';

  constructor(
    rows: SealedSecretsRepository,
    private readonly secrets: WebhookSecrets,
    private readonly vault: KeyVault,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, registry });
  }

  protected override async rewrap(row: SealedWebhookRow): Promise<SealedWebhookRow> {
    const { secrets } = this;
    const holder = { environmentId: row.environmentId, webhookId: row.id };
    return {
      ...row,
      masterKeyId: this.vault.currentKeyId,
      sealedSecret: await secrets.rewrap(row.sealedSecret, holder, 'signing-secret'),
      sealedPreviousSecret: await secrets.rewrap(row.sealedPreviousSecret, holder, 'signing-secret'),
      sealedSigningKey: await secrets.rewrap(row.sealedSigningKey, holder, 'signing-key'),
      sealedPreviousSigningKey: await secrets.rewrap(row.sealedPreviousSigningKey, holder, 'signing-key'),
      sealedHeaders: await secrets.rewrap(row.sealedHeaders, holder, 'headers'),
    };
  }
}
