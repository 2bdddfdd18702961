import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { WalletPasskeyRecovery } from './passkey-recovery.entity.js';

/** Removes recoveries an hour after they can no longer be completed. */
@Injectable()
export class PasskeyRecoveriesPurge extends PurgeJob {
  protected readonly name = 'walletPasskeyRecoveries.purge';
  protected readonly old = [oldRows(WalletPasskeyRecovery, 'expiresAt', { keptSeconds: 3_600 })];
}
