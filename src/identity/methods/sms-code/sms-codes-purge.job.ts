import { Injectable } from '@nestjs/common';
import { oldRows } from '../../../database/index.js';
import { PurgeJob } from '../../../queue/index.js';
import { SmsVerification } from './sms-verification.entity.js';

/** Removes codes an hour after expiry; until then an expired code is distinguished from an unknown one. */
@Injectable()
export class SmsCodesPurge extends PurgeJob {
  protected readonly name = 'sms-codes.purge';
  protected readonly old = [oldRows(SmsVerification, 'expiresAt', { keptSeconds: 3_600 })];
}
