import { Injectable, type OnModuleInit } from '@nestjs/common';
import { UnitOfWork } from '../database/index.js';
import { KeyVault, SealedRecords, SealedRecordsRegistry } from '../vault/index.js';
import { SealedSecretsRepository, type SealedRow } from './sealed-secrets.repository.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** The secrets, keys and header fields of webhooks as the rotation of the master key sees them. */
@Injectable()
export class SealedWebhookSecrets extends SealedRecords implements OnModuleInit {
  readonly name = 'webhooks.sealed_secret';

  constructor(
    private readonly rows: SealedSecretsRepository,
    private readonly secrets: WebhookSecrets,
    private readonly vault: KeyVault,
    private readonly work: UnitOfWork,
    private readonly registry: SealedRecordsRegistry,
  ) {
    super();
  }

  onModuleInit(): void {
    this.registry.register(this);
  }

  count(): Promise<number> {
    return this.rows.countOutdated(this.vault.currentKeyId);
  }

  rewrapBatch(limit: number): Promise<number> {
    return this.work.run(async (tx) => {
      const outdated = await this.rows.lockOutdated(this.vault.currentKeyId, limit, tx);
      if (outdated.length === 0) return 0;
      const rewrapped = await Promise.all(outdated.map((row) => this.rewrap(row)));
      return this.rows.replace(rewrapped, this.vault.currentKeyId, tx);
    });
  }

  private async rewrap(row: SealedRow): Promise<SealedRow> {
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
