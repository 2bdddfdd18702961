import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '../environments/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { ClientProviders } from './client-providers.js';
import { EmailProviders } from './email-providers.js';
import { DevInbox } from './mail/dev-inbox.js';
import { Mailer } from './mail/mailer.js';
import { MailedInvites } from './mail/mailed-invites.js';
import { MAILER } from './mail/mailer.provider.js';
import { ProviderInitializer } from './provider-initializer.js';
import { Provider } from './provider.entity.js';
import { ProvidersRepository } from './providers.repository.js';

/** How people may sign in, and what carries codes to them. */
@Module({
  imports: [TypeOrmModule.forFeature([Provider]), OrganizationsModule, EnvironmentsModule],
  providers: [
    ProvidersRepository,
    EmailProviders,
    ProviderInitializer,
    ClientProviders,
    DevInbox,
    MAILER,
    MailedInvites,
  ],
  exports: [EmailProviders, Mailer, DevInbox],
})
export class ProvidersModule {}
