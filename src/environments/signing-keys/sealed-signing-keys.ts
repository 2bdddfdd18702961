import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../database/index.js';
import { Envelope, KeyVault, SealedRecords, SealedRecordsRegistry } from '../../vault/index.js';
import { SealedSigningKeysRepository, type SealedKeyRow } from './sealed-signing-keys.repository.js';
import { sealContextOf } from './signing-key-maker.js';

/** The private halves of signing keys as the rotation of the master key sees them. */
@Injectable()
export class SealedSigningKeys extends SealedRecords {
  readonly name = 'signing_keys.sealed_private_key';

  constructor(
    private readonly rows: SealedSigningKeysRepository,
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

  private async rewrap(row: SealedKeyRow): Promise<SealedKeyRow> {
    const context = sealContextOf(row.environmentId, row.id);
    const sealedPrivateKey = (await this.envelope.rewrap(row.sealedPrivateKey, context)) ?? row.sealedPrivateKey;
    return { ...row, sealedPrivateKey, masterKeyId: this.envelope.keyIdOf(sealedPrivateKey) };
  }
}
