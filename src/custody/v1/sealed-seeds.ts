import { Injectable } from '@nestjs/common';
import { KeyVault, SealedRecordsRegistry, SealedTable } from '../../vault/index.js';
import { SealedSeedsRepository, type SealedSeedRow } from './sealed-seeds.repository.js';
import { SeedVault } from './seed-vault.js';

/** The seeds of wallets as the rotation of the master key sees them. */
@Injectable()
export class SealedSeeds extends SealedTable<SealedSeedRow> {
  readonly name = 'wallet_seeds.sealed_entropy';

  constructor(
    rows: SealedSeedsRepository,
    private readonly seeds: SeedVault,
    private readonly vault: KeyVault,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, registry });
  }

  protected override async rewrap(row: SealedSeedRow): Promise<SealedSeedRow> {
    const { environmentId, id, userId, sealedEntropy } = row;
    const rewrapped = await this.seeds.rewrap(sealedEntropy, { environmentId, userId, seedId: id });
    return {
      ...row,
      sealedEntropy: rewrapped?.sealed ?? sealedEntropy,
      masterKeyId: rewrapped?.masterKeyId ?? this.vault.currentKeyId,
    };
  }
}
