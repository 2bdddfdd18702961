import { Injectable } from '@nestjs/common';
import { oldRows } from '../../../database/index.js';
import { PurgeJob } from '../../../queue/index.js';
import { EmailVerification } from './email-verification.entity.js';

/** Removes codes an hour after expiry; until then an expired code is distinguished from an unknown one. */
@Injectable()
export class EmailCodesPurge extends PurgeJob {
  protected readonly name = 'email-codes.purge';
  protected readonly old = [oldRows(EmailVerification, 'expiresAt', { keptSeconds: 3_600 })];
}
