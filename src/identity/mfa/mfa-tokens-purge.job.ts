import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { MfaToken } from './mfa-token.entity.js';

/** Removes tokens an hour after they expire. */
@Injectable()
export class MfaTokensPurge extends PurgeJob {
  protected readonly name = 'mfaTokens.purge';
  protected readonly old = [oldRows(MfaToken, 'expiresAt', { keptSeconds: 3_600 })];
}
