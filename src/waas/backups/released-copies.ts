import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { KeyLedger, keyActorOf, protocolOf, type WalletOfShares } from '../../custody/index.js';
import { Outbox, UnitOfWork } from '../../database/index.js';
import { BackupCopies } from './backup-copies.js';
import { tooManyRecoveries } from './backup.errors.js';
import { recoveredEvent } from './backup.events.js';
import type { BackupRow } from './backups.repository.js';
import { RecoveriesRepository } from './recoveries.repository.js';

/** Why copies leave the service. */
export type ReleaseReason = 'recovery' | 'copy to the cloud drive of the user';

/**
 * Device-encrypted copies that leave the service: counted, recorded in the ledger and published. Counted before
 * anything is opened, so that concurrent calls cannot exceed the limit.
 */
@Injectable()
export class ReleasedCopies {
  constructor(
    private readonly recoveries: RecoveriesRepository,
    private readonly copies: BackupCopies,
    private readonly ledger: KeyLedger,
    private readonly outbox: Outbox,
    private readonly work: UnitOfWork,
  ) {}

  /** @returns one for each row; null for a copy kept elsewhere. @throws ApiError too_many_recoveries */
  async release(
    wallet: WalletOfShares,
    caller: EndUserPrincipal,
    rows: readonly BackupRow[],
    reason: ReleaseReason,
  ): Promise<(string | null)[]> {
    const keyShares = rows.filter(({ sealedCredential }) => sealedCredential !== null).length;
    if (keyShares === 0) return rows.map(() => null);
    const { environmentId, userId, walletId, keysId, chain, address } = wallet;
    const subject = { walletId, chain, address, protocol: protocolOf(wallet), keyShares };
    const use = {
      operation: 'recover',
      actor: keyActorOf(caller),
      userId,
      keysId,
      subject,
      reason,
      digest: null,
    } as const;
    if (!(await this.recoveries.take(environmentId, walletId))) {
      await this.ledger.recordAlone(environmentId, { ...use, verdict: tooManyRecoveries().code });
      const retryAfterSeconds = await this.recoveries.waitSeconds(environmentId, walletId);
      throw tooManyRecoveries({ payload: { retryAfterSeconds } });
    }
    try {
      const opened = await Promise.all(rows.map((row) => this.copies.open(wallet, row)));
      await this.work.run(async (tx) => {
        this.ledger.record(environmentId, { ...use, verdict: 'allowed' }, tx);
        await this.outbox.append(environmentId, [recoveredEvent({ id: walletId, userId, chain, keyShares })], tx);
      });
      return opened;
    } catch (error) {
      // Nothing was released: a vault outage of a minute must not keep users from their shares for a day.
      await this.recoveries.giveBack(environmentId, walletId);
      throw error;
    }
  }
}
