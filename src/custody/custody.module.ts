import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustodianRegistry } from './custodian-registry.js';
import { KeyRotation } from './key-rotation.js';
import { SealedSeeds } from './v1/sealed-seeds.js';
import { SealedSeedsRepository } from './v1/sealed-seeds.repository.js';
import { SeedShredder } from './v1/seed-shredder.job.js';
import { SeedVault } from './v1/seed-vault.js';
import { SeedsRepository } from './v1/seeds.repository.js';
import { ServerHeldKeys } from './v1/server-held-keys.js';
import { WalletSeed } from './v1/wallet-seed.entity.js';

@Module({
  imports: [TypeOrmModule.forFeature([WalletSeed])],
  providers: [
    CustodianRegistry,
    KeyRotation,
    SeedVault,
    SeedsRepository,
    SealedSeeds,
    SealedSeedsRepository,
    SeedShredder,
    ServerHeldKeys,
  ],
  exports: [CustodianRegistry, KeyRotation],
})
export class CustodyModule {}
