import { Module } from '@nestjs/common';
import { ExpiringTables } from './expired-rows.js';
import { IdentityPurgeJob } from './identity-purge.job.js';

@Module({ providers: [ExpiringTables, IdentityPurgeJob], exports: [ExpiringTables] })
export class ExpiryModule {}
