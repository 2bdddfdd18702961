import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EnvironmentsModule } from '../../../environments/index.js';
import { ProvidersModule } from '../../../providers/index.js';
import { CodesModule } from '../../codes/codes.module.js';
import { CredentialsModule } from '../../credentials/credentials.module.js';
import { FlowsModule } from '../../flows/flows.module.js';
import { SmsBudget } from './sms-budget.entity.js';
import { SmsBudgets } from './sms-budget.repository.js';
import { SmsCodeMethod, SmsContactCheck } from './sms-code.method.js';
import { SmsCodesPurge } from './sms-codes-purge.job.js';
import { SmsVerification } from './sms-verification.entity.js';
import { SmsVerificationsController } from './sms-verifications.controller.js';
import { SmsVerifications } from './sms-verifications.service.js';
import { SmsChannel } from './sms.channel.js';

/** Sign-in with a one-time code by text message. */
@Module({
  imports: [
    ProvidersModule,
    EnvironmentsModule,
    TypeOrmModule.forFeature([SmsVerification, SmsBudget]),
    FlowsModule,
    CodesModule,
    CredentialsModule,
  ],
  controllers: [SmsVerificationsController],
  providers: [SmsBudgets, SmsChannel, SmsCodeMethod, SmsCodesPurge, SmsContactCheck, SmsVerifications],
})
export class SmsCodeModule {}
