import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { WalletExport } from './wallet-export.entity.js';

/** Removes exports that nobody can fetch any more, an hour later. What was done stands in the ledger of keys. */
@Injectable()
export class WalletExportsPurge extends PurgeJob {
  protected readonly name = 'walletExports.purge';
  protected readonly old = [oldRows(WalletExport, 'expiresAt', { keptSeconds: 3_600 })];
}
