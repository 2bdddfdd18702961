import { Module } from '@nestjs/common';
import { EnvironmentsModule } from '../../environments/index.js';
import { ProvidersModule } from '../../providers/index.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { AccountNotices } from './account-notices.js';
import { ToldChanges } from './told-changes.js';

/** Notifies people by mail about their accounts. */
@Module({
  imports: [CredentialsModule, EnvironmentsModule, ProvidersModule],
  providers: [AccountNotices, ToldChanges],
  exports: [AccountNotices, ToldChanges],
})
export class NoticesModule {}
