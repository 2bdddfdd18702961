import { Module } from '@nestjs/common';
import { AccountsModule } from './accounts/accounts.module.js';
import { AssuranceModule } from './assurance/assurance.module.js';
import { ConsoleModule } from './console/console.module.js';
import { CredentialsModule } from './credentials/credentials.module.js';
import { CustomFieldsModule } from './custom-fields/custom-fields.module.js';
import { DevicesModule } from './devices/devices.module.js';
import { FlowsModule } from './flows/flows.module.js';
import { EmailCodeModule } from './methods/email-code/email-code.module.js';
import { WalletMethodModule } from './methods/wallet/wallet.module.js';
import { PasskeyModule } from './methods/passkey/passkey.module.js';
import { OauthModule } from './methods/oauth/oauth.module.js';
import { ExternalTokenModule } from './methods/external-token/external-token.module.js';
import { SignInLinkModule } from './methods/sign-in-link/sign-in-link.module.js';
import { SmsCodeModule } from './methods/sms-code/sms-code.module.js';
import { FrameModule } from './methods/frameapp/frame.module.js';
import { TelegramModule } from './methods/telegram/telegram.module.js';
import { MfaModule } from './mfa/mfa.module.js';
import { NoncesModule } from './nonces/nonces.module.js';
import { NoticesModule } from './notices/notices.module.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { SingleSignOnModule } from './single-sign-on/single-sign-on.module.js';
import { UsersModule } from './users/users.module.js';
import { VisitsModule } from './visits/visits.module.js';
import { MovingModule } from '../moving/index.js';
import { IdentityMerging } from './identity.merging.js';
import { IdentityMoving } from './identity.moving.js';
import { RowsOfEarlierVersionsRepository } from './rows-of-earlier-versions.repository.js';

/** The sign-in methods; a new one is added here. */
const METHODS = [
  EmailCodeModule,
  WalletMethodModule,
  PasskeyModule,
  OauthModule,
  SmsCodeModule,
  ExternalTokenModule,
  TelegramModule,
  FrameModule,
  SignInLinkModule,
];

/** Who the users of an environment are, and how they prove it. */
@Module({
  providers: [IdentityMerging, IdentityMoving, RowsOfEarlierVersionsRepository],
  imports: [
    MovingModule,
    AccountsModule,
    AssuranceModule,
    ConsoleModule,
    CredentialsModule,
    CustomFieldsModule,
    DevicesModule,
    FlowsModule,
    MfaModule,
    NoncesModule,
    NoticesModule,
    SessionsModule,
    SingleSignOnModule,
    UsersModule,
    VisitsModule,
    ...METHODS,
  ],
  exports: [
    AccountsModule,
    AssuranceModule,
    CredentialsModule,
    CustomFieldsModule,
    EmailCodeModule,
    FlowsModule,
    MfaModule,
    NoncesModule,
    NoticesModule,
    SessionsModule,
    OauthModule,
    PasskeyModule,
    SignInLinkModule,
    UsersModule,
    WalletMethodModule,
  ],
})
export class IdentityModule {}
