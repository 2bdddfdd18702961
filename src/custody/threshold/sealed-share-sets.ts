/* eslint-disable no-restricted-syntax -- the rotation of the master key works on the rows of every tenant */
import { Injectable } from '@nestjs/common';
import { mintEnvironmentId } from '../../auth/index.js';
import { UnitOfWork } from '../../database/index.js';
import { KeyVault, SealedRecordsRegistry, SealedTable } from '../../vault/index.js';
import { KeyLedger, SERVICE } from '../ledger/key-ledger.js';
import { SealedShareSetsRepository, type SealedShareSetRow } from './sealed-share-sets.repository.js';
import { ThresholdSigner } from './threshold-signer.js';

/** The service's shares of keys as the rotation of the master key sees them. */
@Injectable()
export class SealedShareSets extends SealedTable<SealedShareSetRow> {
  readonly name = 'key_share_sets.sealed_shares';

  constructor(
    rows: SealedShareSetsRepository,
    private readonly signer: ThresholdSigner,
    private readonly vault: KeyVault,
    private readonly ledger: KeyLedger,
    private readonly work: UnitOfWork,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, registry });
  }

  protected override async rewrap(row: SealedShareSetRow): Promise<SealedShareSetRow> {
    const { environmentId, id, userId, sealedShares } = row;
    const rewrapped = await this.signer.rewrapShares({ environmentId, userId, keysId: id, sealed: sealedShares });
    return {
      ...row,
      sealedShares: rewrapped?.sealed ?? sealedShares,
      masterKeyId: rewrapped?.masterKeyId ?? this.vault.currentKeyId,
    };
  }

  /** Every data key that was opened leaves a row, in the order in which all of these transactions take the heads. */
  protected override async opened(rows: readonly SealedShareSetRow[]): Promise<void> {
    const inOrder = rows.toSorted((a, b) => (a.environmentId < b.environmentId ? -1 : 1));
    await this.work.run(async (tx) => {
      for (const { environmentId, id, userId } of inOrder) {
        const subject = { masterKeyId: this.vault.currentKeyId };
        const about = { actor: SERVICE, userId, keysId: id, subject, reason: 'rotation of the master key' };
        const use = { operation: 'rewrap', ...about, digest: null, verdict: 'allowed' } as const;
        this.ledger.record(mintEnvironmentId(environmentId), use, tx);
      }
    });
  }
}
