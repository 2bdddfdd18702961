import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { MergesPurge } from './merges-purge.job.js';
import { PendingMerge } from './pending-merge.entity.js';
import { PendingMergesRepository } from './pending-merges.repository.js';
import { UserMerge } from './user-merge.entity.js';
import { UserMergesRepository } from './user-merges.repository.js';

/** Records of credentials that pass from one user to another. */
@Module({
  imports: [TypeOrmModule.forFeature([PendingMerge, UserMerge])],
  providers: [MergesPurge, PendingMergesRepository, UserMergesRepository],
  exports: [PendingMergesRepository, UserMergesRepository],
})
export class LinkingModule {}
