import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { WalletSessionKey } from './session-key.entity.js';
import { WalletUsedRequest } from './used-request.entity.js';

/** Removes keys and requests an hour after they expire: clocks differ. */
@Injectable()
export class SignedRequestsPurge extends PurgeJob {
  protected readonly name = 'walletRequests.purge';
  protected readonly old = [
    oldRows(WalletSessionKey, 'expiresAt', { keptSeconds: 3_600 }),
    oldRows(WalletUsedRequest, 'expiresAt', { keptSeconds: 3_600 }),
  ];
}
