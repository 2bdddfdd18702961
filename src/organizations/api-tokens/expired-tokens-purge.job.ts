import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { ApiToken } from './api-token.entity.js';
import { PersonalToken } from './personal-token.entity.js';

/** Expired tokens are no longer listed, but can still be deleted for this long. */
const KEPT_SECONDS = 30 * 86_400;

/** Removes long-expired tokens: programs that get a token per run leave many behind. */
@Injectable()
export class ExpiredTokensPurge extends PurgeJob {
  protected readonly name = 'tokens.purge';
  protected readonly old = [
    oldRows(ApiToken, 'expiresAt', { keptSeconds: KEPT_SECONDS }),
    oldRows(PersonalToken, 'expiresAt', { keptSeconds: KEPT_SECONDS }),
  ];
  protected override readonly everyMs = 3_600_000;
}
