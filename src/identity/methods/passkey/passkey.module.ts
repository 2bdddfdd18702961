import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '../../../environments/index.js';
import { OrganizationsModule } from '../../../organizations/index.js';
import { CredentialsModule } from '../../credentials/credentials.module.js';
import { FlowsModule } from '../../flows/flows.module.js';
import { NoticesModule } from '../../notices/notices.module.js';
import { SessionsModule } from '../../sessions/sessions.module.js';
import { UsersModule } from '../../users/users.module.js';
import { OtherPasskeys } from './other-passkeys.js';
import { PasskeyCeremonies } from './passkey-ceremonies.js';
import { PasskeyChallenge } from './passkey-challenge.entity.js';
import { PasskeyChallengesPurge } from './passkey-challenges-purge.job.js';
import { PasskeyChallenges } from './passkey-challenges.js';
import { PasskeyChallengesRepository } from './passkey-challenges.repository.js';
import { PasskeyOptions } from './passkey-options.service.js';
import { PasskeySignIn } from './passkey-sign-in.service.js';
import { Passkey } from './passkey.entity.js';
import { PasskeyRecoveryMethod } from './passkey-recovery.method.js';
import { PasskeyMethod } from './passkey.method.js';
import { PasskeysController } from './passkeys.controller.js';
import { PasskeysRepository } from './passkeys.repository.js';
import { Passkeys } from './passkeys.service.js';
import { RegisteredFactor } from './registered-factor.js';
import { RelyingParties } from './relying-parties.js';

/** Sign-in with passkeys (WebAuthn Level 3), and their management. */
@Module({
  imports: [
    EnvironmentsModule,
    TypeOrmModule.forFeature([Passkey, PasskeyChallenge]),
    CredentialsModule,
    FlowsModule,
    NoticesModule,
    OrganizationsModule,
    SessionsModule,
    UsersModule,
  ],
  controllers: [PasskeysController],
  providers: [
    OtherPasskeys,
    PasskeyCeremonies,
    PasskeyChallenges,
    PasskeyChallengesPurge,
    PasskeyChallengesRepository,
    PasskeyMethod,
    PasskeyOptions,
    PasskeyRecoveryMethod,
    Passkeys,
    PasskeysRepository,
    PasskeySignIn,
    RegisteredFactor,
    RelyingParties,
  ],
  exports: [
    OtherPasskeys,
    PasskeyCeremonies,
    PasskeyChallenges,
    PasskeyMethod,
    PasskeyRecoveryMethod,
    Passkeys,
    PasskeysRepository,
    RegisteredFactor,
    RelyingParties,
  ],
})
export class PasskeyModule {}
