import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { InviteMails } from '../organizations/index.js';
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
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Provider])],
  providers: [
    ProvidersRepository,
    EmailProviders,
    ProviderInitializer,
    ClientProviders,
    DevInbox,
    MAILER,
    { provide: InviteMails, useClass: MailedInvites },
  ],
  exports: [EmailProviders, Mailer, DevInbox, InviteMails],
})
export class ProvidersModule {}
