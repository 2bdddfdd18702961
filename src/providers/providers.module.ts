import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '../environments/index.js';
import { OidcModule } from '../oidc/index.js';
import { ObservabilityModule } from '../observability/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { CaptchaVendors } from './captcha/captcha-vendors.js';
import { EmailProviders } from './email/email-providers.js';
import { SignInProvidersController } from './email/sign-in-providers.controller.js';
import { SignInProvidersService } from './email/sign-in-providers.service.js';
import { DeploymentBudget } from './mail/deployment-budget.entity.js';
import { DevInbox } from './mail/dev-inbox.js';
import { Mailer } from './mail/mailer.js';
import { MailedInvites } from './mail/mailed-invites.js';
import { MAILER } from './mail/mailer.provider.js';
import { ClientProviders } from './settings/client-providers.js';
import { EnabledProviders } from './settings/enabled-providers.js';
import { ProviderAddresses } from './settings/provider-addresses.js';
import { ProviderCheck } from './settings/provider-check.js';
import { ProviderController } from './settings/provider.controller.js';
import { ProviderDirectory } from './settings/provider-directory.service.js';
import { ProviderRow } from './settings/provider.entity.js';
import { ProviderInitializer } from './settings/provider-initializer.js';
import { ProviderOwner } from './settings/provider-owner.js';
import { ProviderSecrets } from './settings/provider-secrets.js';
import { ProvidersController } from './settings/providers.controller.js';
import { ProvidersPart } from './settings/providers.part.js';
import { ProvidersRepository } from './settings/providers.repository.js';
import { ProvidersService } from './settings/providers.service.js';
import { ProviderUrls } from './settings/provider-urls.js';
import { ProviderView } from './settings/provider-view.js';
import { RequiredContacts } from './settings/required-contacts.js';
import { SealedProviderSecrets } from './settings/sealed-provider-secrets.js';
import { SealedProviderSecretsRepository } from './settings/sealed-provider-secrets.repository.js';
import { SmsSender } from './sms/sms-sender.js';
import { OAuthAccounts } from './social/oauth-accounts.js';
import { OidcAccounts } from './social/oidc-accounts.js';
import { OpenId2Accounts } from './social/openid2-accounts.js';
import { SocialAccounts } from './social/social-accounts.js';
import { SocialAddresses } from './social/social-addresses.js';
import { SsoAccounts } from './social/sso-accounts.js';
import { TelegramBots } from './social/telegram-bots.js';
import { VendorMessages } from './vendor-messages.js';
import { MovingModule } from '../moving/index.js';
import { ProvidersMoving } from './providers.moving.js';

const SETTINGS = [
  ProvidersRepository,
  ProvidersService,
  ProviderDirectory,
  ProviderCheck,
  ProviderOwner,
  ProviderSecrets,
  ProviderUrls,
  ProviderView,
  ProviderAddresses,
  ProvidersPart,
  RequiredContacts,
  SealedProviderSecrets,
  SealedProviderSecretsRepository,
];
const SOCIAL = [SocialAddresses, OidcAccounts, OAuthAccounts, OpenId2Accounts];

/** Sign-in methods, and the delivery of codes. */
@Module({
  imports: [
    MovingModule,
    TypeOrmModule.forFeature([DeploymentBudget, ProviderRow]),
    ObservabilityModule,
    OidcModule,
    OrganizationsModule,
    EnvironmentsModule,
  ],
  controllers: [ProvidersController, ProviderController, SignInProvidersController],
  providers: [
    ProvidersMoving,
    ...SETTINGS,
    ...SOCIAL,
    CaptchaVendors,
    EnabledProviders,
    SocialAccounts,
    SsoAccounts,
    TelegramBots,
    EmailProviders,
    SignInProvidersService,
    ProviderInitializer,
    ClientProviders,
    DevInbox,
    ...MAILER,
    VendorMessages,
    SmsSender,
    MailedInvites,
  ],
  exports: [
    CaptchaVendors,
    ProvidersService,
    EmailProviders,
    EnabledProviders,
    SocialAccounts,
    SsoAccounts,
    TelegramBots,
    ProviderAddresses,
    ProviderUrls,
    Mailer,
    SmsSender,
    DevInbox,
  ],
})
export class ProvidersModule {}
