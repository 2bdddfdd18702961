import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { PendingMerge } from './pending-merge.entity.js';
import { MERGE_KEPT_SECONDS } from './merge-limits.js';
import { UserMerge } from './user-merge.entity.js';

/** Removes expired offers, and merges once no events about them are left. */
@Injectable()
export class MergesPurge extends PurgeJob {
  protected readonly name = 'merges.purge';
  protected readonly old = [
    oldRows(PendingMerge, 'expiresAt'),
    oldRows(UserMerge, 'createdAt', { keptSeconds: MERGE_KEPT_SECONDS }),
  ];
}
