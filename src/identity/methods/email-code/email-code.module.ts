import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '../../../environments/index.js';
import { ProvidersModule } from '../../../providers/index.js';
import { CodesModule } from '../../codes/codes.module.js';
import { CredentialsModule } from '../../credentials/credentials.module.js';
import { FlowsModule } from '../../flows/flows.module.js';
import { SingleSignOnModule } from '../../single-sign-on/single-sign-on.module.js';
import { CodeMails } from './code-mails.js';
import { EmailCodeMethod, EmailContactCheck } from './email-code.method.js';
import { EmailCodesPurge } from './email-codes-purge.job.js';
import { EmailVerification } from './email-verification.entity.js';
import { EmailVerificationsController } from './email-verifications.controller.js';
import { EmailVerifications } from './email-verifications.service.js';
import { EmailChannel } from './email.channel.js';

/** Sign-in with a one-time code by email. */
@Module({
  imports: [
    ProvidersModule,
    EnvironmentsModule,
    TypeOrmModule.forFeature([EmailVerification]),
    FlowsModule,
    CodesModule,
    CredentialsModule,
    SingleSignOnModule,
  ],
  controllers: [EmailVerificationsController],
  providers: [CodeMails, EmailChannel, EmailCodeMethod, EmailCodesPurge, EmailContactCheck, EmailVerifications],
  exports: [EmailChannel, EmailCodeMethod],
})
export class EmailCodeModule {}
