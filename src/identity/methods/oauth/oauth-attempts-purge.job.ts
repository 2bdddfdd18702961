import { Injectable } from '@nestjs/common';
import { oldRows } from '../../../database/index.js';
import { PurgeJob } from '../../../queue/index.js';
import { OauthAttempt } from './oauth-attempt.entity.js';

/** Removes attempts an hour after expiry; until then an expired one is distinguished from an unknown one. */
@Injectable()
export class OauthAttemptsPurge extends PurgeJob {
  protected readonly name = 'oauth-attempts.purge';
  protected readonly old = [oldRows(OauthAttempt, 'expiresAt', { keptSeconds: 3_600 })];
}
