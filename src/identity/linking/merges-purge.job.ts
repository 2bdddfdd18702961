import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { PendingMerge } from './pending-merge.entity.js';
import { MERGE_KEPT_SECONDS } from './merge-limits.js';
import { UserMerge } from './user-merge.entity.js';

/** Removes offers that nobody took, and merges once nothing is left of what was told of them. */
@Injectable()
export class MergesPurge extends PurgeJob {
  protected readonly name = 'merges.purge';
  protected readonly old = [
    oldRows(PendingMerge, 'expiresAt'),
    oldRows(UserMerge, 'createdAt', { keptSeconds: MERGE_KEPT_SECONDS }),
  ];
}
