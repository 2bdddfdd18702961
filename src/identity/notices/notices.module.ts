import { Module } from '@nestjs/common';
import { EnvironmentsModule } from '../../environments/index.js';
import { ProvidersModule } from '../../providers/index.js';
import { CredentialsModule } from '../credentials/credentials.module.js';
import { AccountNotices } from './account-notices.js';
import { NotifiedChanges } from './notified-changes.js';

/** Notifies people by mail about their accounts. */
@Module({
  imports: [CredentialsModule, EnvironmentsModule, ProvidersModule],
  providers: [AccountNotices, NotifiedChanges],
  exports: [AccountNotices, NotifiedChanges],
})
export class NoticesModule {}
