import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { VisitDay } from './visit-count.entities.js';
import { Visitor } from './visitor.entity.js';

const DAY_SECONDS = 86_400;

/** Removes wallets not seen for a year, and day counts no longer in use. */
@Injectable()
export class VisitorsPurge extends PurgeJob {
  protected readonly name = 'visitors.purge';
  protected readonly old = [
    oldRows(Visitor, 'lastVisit', { keptSeconds: 365 * DAY_SECONDS }),
    // One day longer than the triggers count, so that a decrement always finds its row.
    oldRows(VisitDay, 'day', { keptSeconds: 42 * DAY_SECONDS }),
  ];
  protected override readonly everyMs = 3_600_000;
}
