import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '../../environments/index.js';
import { IdentityModule } from '../../identity/index.js';
import { ProvidersModule } from '../../providers/index.js';
import { KeyNotices } from '../notices/key-notices.js';
import { ShownWalletsModule } from '../record/shown-wallets.module.js';
import { WalletsRepository } from '../record/wallets.repository.js';
import { SignedRequestsRepository } from '../requests/signed-requests.repository.js';
import { SignedRequests } from '../requests/signed-requests.service.js';
import { HeldWalletsRepository } from '../signing/held-wallets.repository.js';
import { EmailAuth } from './email-auth.service.js';
import { PasskeyRecoveriesPurge } from './passkey-recoveries-purge.job.js';
import { PasskeyRecoveriesRepository } from './passkey-recoveries.repository.js';
import { PasskeyRecoveryCompletion } from './passkey-recovery-completion.service.js';
import { WalletPasskeyRecovery } from './passkey-recovery.entity.js';
import { PasskeyRecovery } from './passkey-recovery.service.js';
import { WalletRecoveryEmail } from './recovery-email.entity.js';
import { RecoveryEmail } from './recovery-email.service.js';
import { RecoveryEmailsRepository } from './recovery-emails.repository.js';
import { RecoveryController } from './recovery.controller.js';
import { RecoveryMails } from './recovery-mails.js';
import { RecoveryWallets } from './recovery-wallets.js';

/** Recovery of access to wallets: the address for codes, and session keys and passkeys by such a code. */
@Module({
  imports: [
    TypeOrmModule.forFeature([WalletRecoveryEmail, WalletPasskeyRecovery]),
    EnvironmentsModule,
    IdentityModule,
    ProvidersModule,
    ShownWalletsModule,
  ],
  controllers: [RecoveryController],
  providers: [
    EmailAuth,
    HeldWalletsRepository,
    KeyNotices,
    PasskeyRecoveriesPurge,
    PasskeyRecoveriesRepository,
    PasskeyRecovery,
    PasskeyRecoveryCompletion,
    RecoveryEmail,
    RecoveryEmailsRepository,
    RecoveryMails,
    RecoveryWallets,
    SignedRequests,
    SignedRequestsRepository,
    WalletsRepository,
  ],
  exports: [KeyNotices],
})
export class RecoveryModule {}
