import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '../environments/index.js';
import { IdentityModule } from '../identity/index.js';
import { KeyCustodian } from './custody/key-custodian.js';
import { KeyRotation } from './custody/key-rotation.js';
import { SealedSeeds } from './custody/sealed-seeds.js';
import { SealedSeedsRepository } from './custody/sealed-seeds.repository.js';
import { SeedShredder } from './custody/seed-shredder.job.js';
import { SeedVault } from './custody/seed-vault.js';
import { SeedsRepository } from './custody/seeds.repository.js';
import { ServerHeldKeys } from './custody/server-held-keys.js';
import { WalletSeed } from './custody/wallet-seed.entity.js';
import { EmbeddedWalletsController } from './embedded-wallets.controller.js';
import { EmbeddedWalletsService } from './embedded-wallets.service.js';
import { FrameUsers } from './frame-users.js';
import { WalletMaker } from './wallet-maker.js';
import { Wallet } from './wallet.entity.js';
import { WalletsController } from './wallets.controller.js';
import { WalletsFacet } from './wallets.facet.js';
import { WalletsRepository } from './wallets.repository.js';
import { WalletsService } from './wallets.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Wallet, WalletSeed]), EnvironmentsModule, IdentityModule],
  controllers: [EmbeddedWalletsController, WalletsController],
  providers: [
    EmbeddedWalletsService,
    WalletsService,
    WalletMaker,
    FrameUsers,
    WalletsFacet,
    WalletsRepository,
    SeedsRepository,
    SeedVault,
    SealedSeeds,
    SealedSeedsRepository,
    SeedShredder,
    KeyRotation,
    { provide: KeyCustodian, useClass: ServerHeldKeys },
  ],
  exports: [EmbeddedWalletsService, KeyRotation],
})
export class WalletsModule {}
