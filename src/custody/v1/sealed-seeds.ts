/* eslint-disable no-restricted-syntax -- the rotation of the master key works on the rows of every tenant */
import { Injectable } from '@nestjs/common';
import { mintEnvironmentId } from '../../auth/index.js';
import { KeyVault, SealedRecordsRegistry, SealedTable } from '../../vault/index.js';
import { RotatedKeys } from '../ledger/rotated-keys.js';
import { WalletSigner } from '../signer/wallet-signer.js';
import { SealedSeedsRepository, type SealedSeedRow } from './sealed-seeds.repository.js';

/** Wallet seeds, as master key rotation sees them. */
@Injectable()
export class SealedSeeds extends SealedTable<SealedSeedRow> {
  readonly name = 'wallet_seeds.sealed_entropy';

  constructor(
    rows: SealedSeedsRepository,
    private readonly signer: WalletSigner,
    private readonly vault: KeyVault,
    private readonly rotated: RotatedKeys,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, registry });
  }

  protected override async rewrap(row: SealedSeedRow): Promise<SealedSeedRow> {
    const { environmentId, id, userId, kind, sealedEntropy } = row;
    const rewrapped = await this.signer.rewrap({
      environmentId: mintEnvironmentId(environmentId),
      userId,
      keysId: id,
      kind,
      sealed: sealedEntropy,
    });
    return {
      ...row,
      sealedEntropy: rewrapped?.sealed ?? sealedEntropy,
      masterKeyId: rewrapped?.masterKeyId ?? this.vault.currentKeyId,
    };
  }

  protected override opened(rows: readonly SealedSeedRow[]): Promise<void> {
    return this.rotated.record(rows);
  }
}
