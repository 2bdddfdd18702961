import { Injectable, type OnModuleInit } from '@nestjs/common';
import { UnitOfWork } from '../../database/index.js';
import { KeyVault, SealedRecords, SealedRecordsRegistry } from '../../vault/index.js';
import { SeedVault } from './seed-vault.js';
import { SeedsRepository, type OutdatedSeed, type RewrappedSeed } from './seeds.repository.js';

/** The seeds of wallets as the rotation of the master key sees them. */
@Injectable()
export class SealedSeeds extends SealedRecords implements OnModuleInit {
  readonly name = 'wallet_seeds.sealed_entropy';

  constructor(
    private readonly seeds: SeedsRepository,
    private readonly vault: SeedVault,
    private readonly keyVault: KeyVault,
    private readonly work: UnitOfWork,
    private readonly registry: SealedRecordsRegistry,
  ) {
    super();
  }

  onModuleInit(): void {
    this.registry.register(this);
  }

  count(): Promise<number> {
    return this.seeds.countOutdated(this.keyVault.currentKeyId);
  }

  rewrapBatch(limit: number): Promise<number> {
    return this.work.run(async (tx) => {
      const outdated = await this.seeds.lockOutdated(this.keyVault.currentKeyId, limit, tx);
      if (outdated.length === 0) return 0;
      await this.seeds.rewrap(await Promise.all(outdated.map((seed) => this.rewrap(seed))), tx);
      return outdated.length;
    });
  }

  private async rewrap({ environmentId, id, userId, sealedEntropy }: OutdatedSeed): Promise<RewrappedSeed> {
    const owner = { environmentId, userId, seedId: id };
    const { sealed, masterKeyId } = (await this.vault.rewrap(sealedEntropy, owner)) ?? {
      sealed: sealedEntropy,
      masterKeyId: this.keyVault.currentKeyId,
    };
    return { environmentId, id, sealedEntropy: sealed, masterKeyId };
  }
}
