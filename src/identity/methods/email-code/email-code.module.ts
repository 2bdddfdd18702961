import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProvidersModule } from '../../../providers/index.js';
import { EnvironmentsModule } from '../../../environments/index.js';
import { FlowsModule } from '../../flows/flows.module.js';
import { CodeDestination } from './code-destination.entity.js';
import { CodeMails } from './code-mails.js';
import { EmailCodeSignIn } from './email-code-sign-in.service.js';
import { EmailCodeMethod, EmailContactCheck } from './email-code.method.js';
import { EmailCodesPurge } from './email-codes-purge.job.js';
import { EmailCodesRepository } from './email-codes.repository.js';
import { EmailCodes } from './email-codes.service.js';
import { EmailVerification } from './email-verification.entity.js';
import { EmailVerificationsController } from './email-verifications.controller.js';
import { FailureReset } from './failure-reset.js';
import { PepperRepository } from './pepper.repository.js';
import { Pepper } from './pepper.js';
import { SealedPepper } from './sealed-pepper.js';

/** Sign-in by a one-time code that is sent to an address. */
@Module({
  imports: [
    ProvidersModule,
    EnvironmentsModule,
    TypeOrmModule.forFeature([EmailVerification, CodeDestination]),
    FlowsModule,
  ],
  controllers: [EmailVerificationsController],
  providers: [
    CodeMails,
    EmailCodeMethod,
    EmailCodes,
    EmailCodesPurge,
    EmailCodesRepository,
    EmailCodeSignIn,
    EmailContactCheck,
    FailureReset,
    Pepper,
    PepperRepository,
    SealedPepper,
  ],
})
export class EmailCodeModule {}
