import { Injectable } from '@nestjs/common';
import { oldRows } from '../../database/index.js';
import { PurgeJob } from '../../queue/index.js';
import { WalletSeed } from './wallet-seed.entity.js';

/**
 * Destroys the seeds of deleted users once their grace period is over: the row holds the only wrapped data key, so the
 * keys leave the database with it. Backups keep theirs until they expire or their master key is destroyed.
 */
@Injectable()
export class SeedShredder extends PurgeJob {
  protected readonly name = 'wallets.shred';
  protected readonly old = [oldRows(WalletSeed, 'destroyAfter')];
  protected override readonly everyMs = 3_600_000;
  protected override readonly batch = 500;
}
