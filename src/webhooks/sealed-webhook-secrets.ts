import { Injectable, type OnModuleInit } from '@nestjs/common';
import { UnitOfWork } from '../database/index.js';
import { KeyVault, SealedRecords, SealedRecordsRegistry } from '../vault/index.js';
import { SealedSecretsRepository } from './sealed-secrets.repository.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** The signing secrets of webhooks as the rotation of the master key sees them. */
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
      const rewrapped = await Promise.all(
        outdated.map(async (row) => ({ ...row, ...(await this.secrets.rewrap(row.sealedSecret, row)) })),
      );
      return this.rows.replace(rewrapped, tx);
    });
  }
}
