import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { ApiToken } from './api-token.entity.js';
import { PersonalToken } from './personal-token.entity.js';

/** Nobody is shown them any more; whoever deletes one late still finds it for so long. */
const KEPT_SECONDS = 30 * 86_400;

/** Removes tokens that have long expired: programs that are given one for each run leave many. */
@Injectable()
export class ExpiredTokensPurge extends PurgeJob {
  protected readonly name = 'tokens.purge';
  protected readonly old = [
    oldRows(ApiToken, 'expiresAt', { keptSeconds: KEPT_SECONDS }),
    oldRows(PersonalToken, 'expiresAt', { keptSeconds: KEPT_SECONDS }),
  ];
  protected override readonly everyMs = 3_600_000;
}
