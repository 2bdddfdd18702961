import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { UsedElevation } from './used-elevation.entity.js';

/** Removes records of used tokens an hour after the tokens expire, to allow for clock skew. */
@Injectable()
export class UsedElevationsPurge extends PurgeJob {
  protected readonly name = 'usedElevations.purge';
  protected readonly old = [oldRows(UsedElevation, 'expiresAt', { keptSeconds: 3_600 })];
}
