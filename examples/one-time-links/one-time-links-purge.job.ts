import { Injectable } from '@nestjs/common';
import { oldRows } from '../../src/database/index.js';
import { PurgeJob } from '../../src/queue/index.js';
import { OneTimeLinkRow } from './one-time-link.entity.js';

/** Removes expired links. */
@Injectable()
export class OneTimeLinksPurge extends PurgeJob {
  protected readonly name = 'one-time-links.purge';
  protected readonly old = [oldRows(OneTimeLinkRow, 'expiresAt')];
}
