import { Injectable } from '@nestjs/common';
import { UnitOfWork, type Transaction } from '../../database/index.js';
import { KeyVault, SealedRecordsRegistry, SealedTable } from '../../vault/index.js';
import { SeedVault } from './seed-vault.js';
import { SeedsRepository, type OutdatedSeed, type RewrappedSeed } from './seeds.repository.js';

/** The seeds of wallets as the rotation of the master key sees them. */
@Injectable()
export class SealedSeeds extends SealedTable<Transaction, OutdatedSeed, RewrappedSeed> {
  readonly name = 'wallet_seeds.sealed_entropy';

  constructor(
    rows: SeedsRepository,
    private readonly seeds: SeedVault,
    private readonly vault: KeyVault,
    work: UnitOfWork,
    registry: SealedRecordsRegistry,
  ) {
    super({ rows, vault, work, registry });
  }

  protected override async rewrap(row: OutdatedSeed): Promise<RewrappedSeed> {
    const { environmentId, id, userId, sealedEntropy } = row;
    const { sealed, masterKeyId } = (await this.seeds.rewrap(sealedEntropy, { environmentId, userId, seedId: id })) ?? {
      sealed: sealedEntropy,
      masterKeyId: this.vault.currentKeyId,
    };
    return { environmentId, id, sealedEntropy: sealed, masterKeyId };
  }
}
