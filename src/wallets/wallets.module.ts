import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '../organizations/index.js';
import { CustodyModule } from '../custody/index.js';
import { EnvironmentsModule } from '../environments/index.js';
import { IdentityModule } from '../identity/index.js';
import { EmbeddedWalletsController } from './embedded-wallets.controller.js';
import { EmbeddedWalletsService } from './embedded-wallets.service.js';
import { ExternalWalletsService } from './external-wallets.service.js';
import { FrameUsers } from './frame-users.js';
import { GlobalWalletModule } from './global-wallet/global-wallet.module.js';
import { HiddenWalletsRepository } from './hidden-wallets.repository.js';
import { HiddenWalletsService } from './hidden-wallets.service.js';
import { LegacyWalletsController } from './legacy-wallets.controller.js';
import { OwnEmbeddedWalletsService } from './own-embedded-wallets.service.js';
import { OwnWalletsController } from './own-wallets.controller.js';
import { WalletListingRepository } from './wallet-listing.repository.js';
import { WalletMaker } from './wallet-maker.js';
import { WalletSelection } from './wallet-selection.service.js';
import { WalletTenant } from './wallet-tenant.js';
import { Wallet } from './wallet.entity.js';
import { WalletsController } from './wallets.controller.js';
import { WalletsFacet } from './wallets.facet.js';
import { WalletsRepository } from './wallets.repository.js';
import { WalletsService } from './wallets.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Wallet]),
    CustodyModule,
    EnvironmentsModule,
    IdentityModule,
    OrganizationsModule,
    GlobalWalletModule,
  ],
  controllers: [EmbeddedWalletsController, WalletsController, LegacyWalletsController, OwnWalletsController],
  providers: [
    EmbeddedWalletsService,
    ExternalWalletsService,
    HiddenWalletsService,
    OwnEmbeddedWalletsService,
    WalletSelection,
    HiddenWalletsRepository,
    WalletsService,
    WalletMaker,
    WalletTenant,
    FrameUsers,
    WalletsFacet,
    WalletsRepository,
    WalletListingRepository,
  ],
  exports: [EmbeddedWalletsService],
})
export class WalletsModule {}
