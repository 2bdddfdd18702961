import { Injectable } from '@nestjs/common';
import { KeyVault, SealedRecordsRegistry, SealedTable } from '../../vault/index.js';
import { RotatedKeys } from '../ledger/rotated-keys.js';
import { SealedShareSetsRepository, type SealedShareSetRow } from './sealed-share-sets.repository.js';
import { ThresholdSigner } from './threshold-signer.js';

/** The service's shares of keys, as master key rotation sees them. */
@Injectable()
export class SealedShareSets extends SealedTable<SealedShareSetRow> {
  readonly name = 'key_share_sets.sealed_shares';

  constructor(
    rows: SealedShareSetsRepository,
    private readonly signer: ThresholdSigner,
    private readonly vault: KeyVault,
    private readonly rotated: RotatedKeys,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, registry });
  }

  protected override async rewrap(row: SealedShareSetRow): Promise<SealedShareSetRow> {
    const { environmentId, id, userId, protocol, sealedShares } = row;
    const sealed = { environmentId, userId, keysId: id, sealed: sealedShares };
    const rewrapped = await this.signer.rewrapShares(protocol, sealed);
    return {
      ...row,
      sealedShares: rewrapped?.sealed ?? sealedShares,
      masterKeyId: rewrapped?.masterKeyId ?? this.vault.currentKeyId,
    };
  }

  protected override opened(rows: readonly SealedShareSetRow[]): Promise<void> {
    return this.rotated.record(rows);
  }
}
