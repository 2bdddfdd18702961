import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OrganizationsModule } from '../organizations/index.js';
import { CustodyModule } from '../custody/index.js';
import { EnvironmentsModule } from '../environments/index.js';
import { IdentityModule } from '../identity/index.js';
import { ClaimsRepository } from './claims/claims.repository.js';
import { ProvidersModule } from '../providers/index.js';
import { EmbeddedWalletsController } from './console/embedded-wallets.controller.js';
import { EmbeddedWalletsService } from './console/embedded-wallets.service.js';
import { ExternalWalletsService } from './console/external-wallets.service.js';
import { EmbeddedAddresses } from './signing/embedded-addresses.js';
import { OwnerIdentifiers } from './claims/owner-identifiers.js';
import { FrameUsers } from './claims/frame-users.js';
import { GlobalWalletModule } from './global-wallet/global-wallet.module.js';
import { ExportEvents } from './exports/export-events.js';
import { WalletExport } from './exports/wallet-export.entity.js';
import { WalletExportsController } from './exports/wallet-exports.controller.js';
import { WalletExportsPurge } from './exports/wallet-exports-purge.job.js';
import { WalletExportsRepository } from './exports/wallet-exports.repository.js';
import { WalletExports } from './exports/wallet-exports.service.js';
import { NameServiceModule } from './name-service/name-service.module.js';
import { HeldWalletsRepository } from './signing/held-wallets.repository.js';
import { HiddenWalletsRepository } from './own/hidden-wallets.repository.js';
import { HiddenWalletsService } from './own/hidden-wallets.service.js';
import { ImportedWallets } from './imports/imported-wallets.js';
import { WalletImportsController } from './imports/wallet-imports.controller.js';
import { WalletImports } from './imports/wallet-imports.service.js';
import { KeyRetirement } from './making/key-retirement.js';
import { AddressOwnersRepository } from './making/address-owners.repository.js';
import { UserSharesRepository } from './making/user-shares.repository.js';
import { LegacyWalletsController } from './console/legacy-wallets.controller.js';
import { WalletAccessModule } from './access/wallet-access.module.js';
import { DelegationModule } from './delegation/delegation.module.js';
import { PoliciesModule } from './policies/policies.module.js';
import { RecoveryModule } from './recovery/recovery.module.js';
import { OwnEmbeddedWalletsService } from './own/own-embedded-wallets.service.js';
import { OwnWalletsController } from './own/own-wallets.controller.js';
import { ExternalWalletsRepository } from './record/external-wallets.repository.js';
import { ProvenWalletsRepository } from './record/proven-wallets.repository.js';
import { DeletionRequests } from './requests/deletion-requests.service.js';
import { WalletSessionKey } from './requests/session-key.entity.js';
import { SessionKeys } from './requests/session-keys.service.js';
import { SignedRequestsController } from './requests/signed-requests.controller.js';
import { SignedRequestsPurge } from './requests/signed-requests-purge.job.js';
import { SignedRequestsRepository } from './requests/signed-requests.repository.js';
import { SignedRequests } from './requests/signed-requests.service.js';
import { WalletUsedRequest } from './requests/used-request.entity.js';
import { WalletAccounts } from './requests/wallet-accounts.service.js';
import { WalletDeletionRepository } from './requests/wallet-deletion.repository.js';
import { WalletDeletion } from './requests/wallet-deletion.service.js';
import { WalletClaims } from './claims/wallet-claims.service.js';
import { WalletCount } from './record/wallet-count.entity.js';
import { WalletListingRepository } from './record/wallet-listing.repository.js';
import { WalletMoves } from './moves/wallet-moves.js';
import { ThresholdWallets } from './making/threshold-wallets.js';
import { WalletMovesRepository } from './moves/wallet-moves.repository.js';
import { WalletMaker } from './making/wallet-maker.js';
import { WalletSelection } from './own/wallet-selection.service.js';
import { WalletSigningController } from './signing/wallet-signing.controller.js';
import { SignedWallets } from './signing/signed-wallets.js';
import { WalletSigning } from './signing/wallet-signing.service.js';
import { WalletTenant } from './record/wallet-tenant.js';
import { SignInAddresses } from './making/sign-in-addresses.js';
import { Wallet } from './record/wallet.entity.js';
import { WalletsController } from './console/wallets.controller.js';
import { WalletsFacet } from './wallets.facet.js';
import { ShownWalletsModule } from './record/shown-wallets.module.js';
import { WalletsRepository } from './record/wallets.repository.js';
import { WalletsService } from './console/wallets.service.js';
import { WalletUpgrades } from './making/wallet-upgrades.js';
import { WalletUpgradesRepository } from './making/wallet-upgrades.repository.js';
import { MovingModule } from '../moving/index.js';
import { WalletsMerging } from './wallets.merging.js';
import { WalletsMoving } from './wallets.moving.js';

@Module({
  imports: [
    MovingModule,
    TypeOrmModule.forFeature([Wallet, WalletCount, WalletExport, WalletSessionKey, WalletUsedRequest]),
    CustodyModule,
    EnvironmentsModule,
    IdentityModule,
    OrganizationsModule,
    ProvidersModule,
    GlobalWalletModule,
    NameServiceModule,
    PoliciesModule,
    DelegationModule,
    WalletAccessModule,
    RecoveryModule,
    ShownWalletsModule,
  ],
  controllers: [
    EmbeddedWalletsController,
    WalletsController,
    LegacyWalletsController,
    OwnWalletsController,
    WalletSigningController,
    WalletExportsController,
    WalletImportsController,
    SignedRequestsController,
  ],
  providers: [
    WalletsMerging,
    WalletsMoving,
    EmbeddedWalletsService,
    ExternalWalletsService,
    HiddenWalletsService,
    OwnEmbeddedWalletsService,
    WalletSelection,
    WalletClaims,
    ClaimsRepository,
    WalletSigning,
    SignedWallets,
    EmbeddedAddresses,
    HeldWalletsRepository,
    KeyRetirement,
    AddressOwnersRepository,
    SignInAddresses,
    UserSharesRepository,
    DeletionRequests,
    SessionKeys,
    SignedRequests,
    SignedRequestsPurge,
    SignedRequestsRepository,
    WalletAccounts,
    WalletDeletion,
    WalletDeletionRepository,
    ExportEvents,
    WalletExports,
    WalletExportsRepository,
    WalletExportsPurge,
    ImportedWallets,
    WalletImports,
    HiddenWalletsRepository,
    WalletsService,
    WalletMaker,
    ThresholdWallets,
    WalletUpgrades,
    WalletUpgradesRepository,
    WalletMoves,
    WalletMovesRepository,
    WalletTenant,
    FrameUsers,
    OwnerIdentifiers,
    WalletsFacet,
    ExternalWalletsRepository,
    ProvenWalletsRepository,
    WalletsRepository,
    WalletListingRepository,
  ],
  exports: [
    EmbeddedWalletsService,
    OwnerIdentifiers,
    RecoveryModule,
    ShownWalletsModule,
    ThresholdWallets,
    WalletUpgrades,
  ],
})
export class WalletsModule {}
