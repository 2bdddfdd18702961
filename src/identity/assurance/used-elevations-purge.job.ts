import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { UsedElevation } from './used-elevation.entity.js';

/** Removes what is known of proofs that would not be taken any more anyway, an hour later: clocks differ. */
@Injectable()
export class UsedElevationsPurge extends PurgeJob {
  protected readonly name = 'usedElevations.purge';
  protected readonly old = [oldRows(UsedElevation, 'expiresAt', { keptSeconds: 3_600 })];
}
