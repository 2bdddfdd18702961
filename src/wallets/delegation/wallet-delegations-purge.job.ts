import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { WalletDelegation } from './wallet-delegation.entity.js';

/** Deletes expired access. */
@Injectable()
export class WalletDelegationsPurge extends PurgeJob {
  protected readonly name = 'walletDelegations.purge';
  protected readonly old = [oldRows(WalletDelegation, 'expiresAt')];
}
