import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/index.js';
import { Envelope, KeyVault, SealedRecords, SealedRecordsRegistry } from '../../vault/index.js';
import { SealedEnvironmentSecretsRepository, type SealedSecretRow } from './sealed-environment-secrets.repository.js';
import { environmentSecretContext } from './environment-secrets.js';

/** The secrets of environments as the rotation of the master key sees them. */
@Injectable()
export class SealedEnvironmentSecrets extends SealedRecords {
  readonly name = 'environment_secrets.sealed_value';

  constructor(
    private readonly rows: SealedEnvironmentSecretsRepository,
    private readonly envelope: Envelope,
    private readonly vault: KeyVault,
    private readonly work: UnitOfWork,
    registry: SealedRecordsRegistry,
  ) {
    super();
    registry.register(this);
  }

  override count(): Promise<number> {
    return this.rows.countOutdated(this.vault.currentKeyId);
  }

  override rewrapBatch(limit: number): Promise<number> {
    return this.work.run(async (tx) => {
      const outdated = await this.rows.lockOutdated(this.vault.currentKeyId, limit, tx);
      if (outdated.length === 0) return 0;
      return this.rows.replace(await Promise.all(outdated.map((row) => this.rewrap(row))), tx);
    });
  }

  private async rewrap(row: SealedSecretRow): Promise<SealedSecretRow> {
    const context = environmentSecretContext(row.environmentId, row.name);
    const sealedValue = (await this.envelope.rewrap(row.sealedValue, context)) ?? row.sealedValue;
    return { ...row, sealedValue, masterKeyId: this.envelope.keyIdOf(sealedValue) };
  }
}
