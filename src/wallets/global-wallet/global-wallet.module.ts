import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '../../environments/index.js';
import { OrganizationsModule } from '../../organizations/index.js';
import { GlobalWalletAccessControlController } from './access-control.controller.js';
import { AccessControlService } from './access-control.service.js';
import { AccessControlsRepository } from './access-controls.repository.js';
import { AdmittedSites } from './admitted-sites.js';
import { ClientGlobalWalletController } from './client-global-wallet.controller.js';
import { ConnectionRow } from './connection.entity.js';
import { GlobalWalletConnectionsController } from './connections.controller.js';
import { ConnectionsRepository } from './connections.repository.js';
import { ConnectionsService } from './connections.service.js';
import { DomainsRepository } from './domains.repository.js';
import { GlobalWalletController } from './global-wallet.controller.js';
import { AccessControlRow, DomainRow, GlobalWalletRow } from './global-wallet.entity.js';
import { GlobalWalletPart } from './global-wallet.part.js';
import { GlobalWalletService } from './global-wallet.service.js';
import { GlobalWalletsRepository } from './global-wallets.repository.js';

/** One wallet across sites: its appearance, and the sites it may be connected to. */
@Module({
  imports: [
    TypeOrmModule.forFeature([GlobalWalletRow, AccessControlRow, DomainRow, ConnectionRow]),
    EnvironmentsModule,
    OrganizationsModule,
  ],
  controllers: [
    GlobalWalletController,
    GlobalWalletAccessControlController,
    GlobalWalletConnectionsController,
    ClientGlobalWalletController,
  ],
  providers: [
    ...[GlobalWalletsRepository, GlobalWalletService, GlobalWalletPart],
    ...[AccessControlsRepository, DomainsRepository, AccessControlService, AdmittedSites],
    ...[ConnectionsRepository, ConnectionsService],
  ],
})
export class GlobalWalletModule {}
