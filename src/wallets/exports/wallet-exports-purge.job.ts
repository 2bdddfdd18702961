import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { WalletExport } from './wallet-export.entity.js';

/** Removes exports an hour after they can no longer be fetched. The key ledger keeps the record. */
@Injectable()
export class WalletExportsPurge extends PurgeJob {
  protected readonly name = 'walletExports.purge';
  protected readonly old = [oldRows(WalletExport, 'expiresAt', { keptSeconds: 3_600 })];
}
