import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { ClientEventCount } from './client-event-count.entity.js';

/** Removes events reported more than 90 days ago. */
@Injectable()
export class ClientEventsPurge extends PurgeJob {
  protected readonly name = 'client-events.purge';
  protected readonly old = [oldRows(ClientEventCount, 'day', { keptSeconds: 90 * 86_400 })];
  protected override readonly everyMs = 3_600_000;
}
