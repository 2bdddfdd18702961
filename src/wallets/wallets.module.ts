import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustodyModule } from '../custody/index.js';
import { EnvironmentsModule } from '../environments/index.js';
import { IdentityModule } from '../identity/index.js';
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
  imports: [TypeOrmModule.forFeature([Wallet]), CustodyModule, EnvironmentsModule, IdentityModule],
  controllers: [EmbeddedWalletsController, WalletsController],
  providers: [EmbeddedWalletsService, WalletsService, WalletMaker, FrameUsers, WalletsFacet, WalletsRepository],
  exports: [EmbeddedWalletsService],
})
export class WalletsModule {}
