import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { VisitDay } from './visit-count.entities.js';
import { Visitor } from './visitor.entity.js';

const DAY_SECONDS = 86_400;

/** Removes wallets that have not come for a year, and the counts of days that nobody asks about. */
@Injectable()
export class VisitorsPurge extends PurgeJob {
  protected readonly name = 'visitors.purge';
  protected readonly old = [
    oldRows(Visitor, 'lastVisit', { keptSeconds: 365 * DAY_SECONDS }),
    // One day more than the triggers count: what leaves a day finds its row.
    oldRows(VisitDay, 'day', { keptSeconds: 42 * DAY_SECONDS }),
  ];
  protected override readonly everyMs = 3_600_000;
}
