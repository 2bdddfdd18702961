import { Injectable, type OnModuleInit } from '@nestjs/common';
import { UnitOfWork } from '../../database/index.js';
import { KeyVault, SealedRecords, SealedRecordsRegistry } from '../../vault/index.js';
import { ClientSecrets } from './client-secrets.js';
import { SealedClientSecretsRepository } from './sealed-client-secrets.repository.js';

/** Client secrets of identity providers as the rotation of the master key sees them. */
@Injectable()
export class SealedClientSecrets extends SealedRecords implements OnModuleInit {
  readonly name = 'sso_providers.sealed_client_secret';

  constructor(
    private readonly rows: SealedClientSecretsRepository,
    private readonly secrets: ClientSecrets,
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
        outdated.map(async (row) => ({ ...row, ...(await this.secrets.rewrap(row)) })),
      );
      return this.rows.replace(rewrapped, tx);
    });
  }
}
