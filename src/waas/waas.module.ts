import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustodyModule } from '../custody/index.js';
import { IdentityModule } from '../identity/index.js';
import { MovingModule } from '../moving/index.js';
import { NetworksModule } from '../networks/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { ProvidersModule } from '../providers/index.js';
import { WalletsModule } from '../wallets/index.js';
import { DealtCopies } from './ahead/dealt-copies.js';
import { DealtWallets } from './ahead/dealt-wallets.js';
import { WaasWalletsController } from './ahead/waas-wallets.controller.js';
import { WaasWalletsService } from './ahead/waas-wallets.service.js';
import { BackupCopies } from './backups/backup-copies.js';
import { BackupRecords } from './backups/backup-records.js';
import { BackupsController } from './backups/backups.controller.js';
import { BackupsRepository } from './backups/backups.repository.js';
import { BackupsService } from './backups/backups.service.js';
import { GoogleDrive } from './backups/google-drive.js';
import { KeyShareBackup } from './backups/key-share-backup.entity.js';
import { KeyShareRecovery } from './backups/key-share-recovery.entity.js';
import { KeySharesOfWallets } from './backups/key-shares-of-wallets.js';
import { RecoveriesRepository } from './backups/recoveries.repository.js';
import { RecoveryService } from './backups/recovery.service.js';
import { ReleasedCopies } from './backups/released-copies.js';
import { SealedBackups } from './backups/sealed-backups.js';
import { SealedBackupsRepository } from './backups/sealed-backups.repository.js';
import { UserBackupsController } from './backups/user-backups.controller.js';
import { CeremoniesController } from './ceremonies/ceremonies.controller.js';
import { CeremoniesService } from './ceremonies/ceremonies.service.js';
import { KeygenService } from './ceremonies/keygen.service.js';
import { OpeningsService } from './ceremonies/openings.service.js';
import { ReshareService } from './ceremonies/reshare.service.js';
import { RoomsController } from './ceremonies/rooms.controller.js';
import { ShareReplacement } from './ceremonies/share-replacement.js';
import { SigningService } from './ceremonies/signing.service.js';
import { SplitKeygenService } from './ceremonies/split-keygen.service.js';
import { SplitSigningService } from './ceremonies/split-signing.service.js';
import { UnansweredReleases } from './ceremonies/unanswered-releases.job.js';
import { WholeKeys } from './ceremonies/whole-keys.js';
import { SharedWalletsController } from './reading/shared-wallets.controller.js';
import { SharedWalletsService } from './reading/shared-wallets.service.js';
import { CeremonyLocks } from './rooms/ceremony-locks.js';
import { RoomMaking } from './rooms/room-making.service.js';
import { CeremonyMessage } from './rooms/room-message.entity.js';
import { CeremonyRoom } from './rooms/room.entity.js';
import { RoomsPurge } from './rooms/rooms-purge.job.js';
import { RoomsRepository } from './rooms/rooms.repository.js';
import { RoomsService } from './rooms/rooms.service.js';
import { SealedRooms } from './rooms/sealed-rooms.js';
import { SealedRoomsRepository } from './rooms/sealed-rooms.repository.js';
import { SealedWalletSecrets } from './secrets/sealed-wallet-secrets.js';
import { SealedWalletSecretsRepository } from './secrets/sealed-wallet-secrets.repository.js';
import { SecretReleases } from './secrets/secret-releases.js';
import { SecretSealing } from './secrets/secret-sealing.js';
import { WalletSecret } from './secrets/wallet-secret.entity.js';
import { WalletSecretsController } from './secrets/wallet-secrets.controller.js';
import { WalletSecretsRepository } from './secrets/wallet-secrets.repository.js';
import { WalletSecretsService } from './secrets/wallet-secrets.service.js';
import { UpgradeDealing } from './upgrades/upgrade-dealing.js';
import { UpgradesController } from './upgrades/upgrades.controller.js';
import { UpgradesService } from './upgrades/upgrades.service.js';
import { WaasMerging } from './waas.merging.js';
import { WaasMoving } from './waas.moving.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([CeremonyRoom, CeremonyMessage, KeyShareBackup, KeyShareRecovery, WalletSecret]),
    CustodyModule,
    IdentityModule,
    MovingModule,
    NetworksModule,
    OrganizationsModule,
    ProvidersModule,
    WalletsModule,
  ],
  controllers: [
    BackupsController,
    UserBackupsController,
    RoomsController,
    CeremoniesController,
    SharedWalletsController,
    WalletSecretsController,
    WaasWalletsController,
    UpgradesController,
  ],
  providers: [
    BackupCopies,
    BackupRecords,
    BackupsRepository,
    BackupsService,
    GoogleDrive,
    KeySharesOfWallets,
    RecoveriesRepository,
    RecoveryService,
    ReleasedCopies,
    SealedBackups,
    SealedBackupsRepository,
    CeremoniesService,
    KeygenService,
    OpeningsService,
    SplitKeygenService,
    SplitSigningService,
    UnansweredReleases,
    ReshareService,
    ShareReplacement,
    SigningService,
    CeremonyLocks,
    RoomMaking,
    RoomsPurge,
    RoomsRepository,
    RoomsService,
    SealedRooms,
    SealedRoomsRepository,
    SharedWalletsService,
    DealtCopies,
    DealtWallets,
    SealedWalletSecrets,
    SealedWalletSecretsRepository,
    SecretReleases,
    SecretSealing,
    WalletSecretsRepository,
    WalletSecretsService,
    UpgradeDealing,
    UpgradesService,
    WaasMerging,
    WaasMoving,
    WaasWalletsService,
    WholeKeys,
  ],
})
export class WaasModule {}
