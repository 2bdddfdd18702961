import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProvidersModule } from '../../../providers/index.js';
import { FlowsModule } from '../../flows/flows.module.js';
import { UsersModule } from '../../users/users.module.js';
import { TelegramController } from './telegram.controller.js';
import { TelegramLogin } from './telegram-login.entity.js';
import { TelegramLoginsPurge } from './telegram-logins-purge.job.js';
import { TelegramLoginsRepository } from './telegram-logins.repository.js';
import { TelegramLogins } from './telegram-logins.service.js';
import { TelegramMethod } from './telegram.method.js';
import { TelegramSignIn } from './telegram-sign-in.service.js';
import { TelegramVisits } from './telegram-visits.service.js';

/** Sign-in with an account at the messaging network. */
@Module({
  imports: [FlowsModule, ProvidersModule, UsersModule, TypeOrmModule.forFeature([TelegramLogin])],
  controllers: [TelegramController],
  providers: [
    TelegramLogins,
    TelegramLoginsPurge,
    TelegramLoginsRepository,
    TelegramMethod,
    TelegramSignIn,
    TelegramVisits,
  ],
})
export class TelegramModule {}
