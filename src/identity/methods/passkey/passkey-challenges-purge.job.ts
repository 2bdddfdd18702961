import { Injectable } from '@nestjs/common';
import { oldRows } from '../../../database/index.js';
import { PurgeJob } from '../../../queue/index.js';
import { PasskeyChallenge } from './passkey-challenge.entity.js';

/** Removes unanswered challenges. */
@Injectable()
export class PasskeyChallengesPurge extends PurgeJob {
  protected readonly name = 'passkeyChallenges.purge';
  protected readonly old = [oldRows(PasskeyChallenge, 'expiresAt')];
}
