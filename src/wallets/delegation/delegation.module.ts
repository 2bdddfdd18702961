import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustodyModule } from '../../custody/index.js';
import { EnvironmentsModule } from '../../environments/index.js';
import { IdentityModule } from '../../identity/index.js';
import { OrganizationsModule } from '../../organizations/index.js';
import { RecoveryModule } from '../recovery/recovery.module.js';
import { HeldWalletsRepository } from '../signing/held-wallets.repository.js';
import { ClientDelegatedAccessController } from './client-delegated-access.controller.js';
import { ClientDelegationKeysController } from './client-delegation-keys.controller.js';
import { DelegatedAccessController } from './delegated-access.controller.js';
import { DelegatedSigning } from './delegated-signing.js';
import { DelegationEndings } from './delegation-endings.js';
import { DelegationGiving } from './delegation-giving.js';
import { DelegationGuard } from './delegation-guard.js';
import { DelegationKeyRow } from './delegation-key.entity.js';
import { DelegationKeysController } from './delegation-keys.controller.js';
import { DelegationKeysRepository } from './delegation-keys.repository.js';
import { DelegationKeysService } from './delegation-keys.service.js';
import { DelegationRecords } from './delegation-records.js';
import { DelegationSettings } from './delegation-settings.js';
import { DelegationTerms } from './delegation-terms.js';
import { WalletDelegation } from './wallet-delegation.entity.js';
import { WalletDelegationsPurge } from './wallet-delegations-purge.job.js';
import { WalletDelegationsRepository } from './wallet-delegations.repository.js';

/** Access to wallets that users give to a team's servers, and the keys it is sealed to. */
@Module({
  imports: [
    TypeOrmModule.forFeature([DelegationKeyRow, WalletDelegation]),
    CustodyModule,
    EnvironmentsModule,
    IdentityModule,
    OrganizationsModule,
    RecoveryModule,
  ],
  controllers: [
    DelegationKeysController,
    ClientDelegationKeysController,
    DelegatedAccessController,
    ClientDelegatedAccessController,
  ],
  providers: [
    DelegationKeysRepository,
    DelegationKeysService,
    WalletDelegationsRepository,
    WalletDelegationsPurge,
    HeldWalletsRepository,
    DelegatedSigning,
    DelegationEndings,
    DelegationGiving,
    DelegationGuard,
    DelegationRecords,
    DelegationSettings,
    DelegationTerms,
  ],
  exports: [DelegationEndings],
})
export class DelegationModule {}
