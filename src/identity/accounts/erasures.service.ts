import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { JobQueue } from '../../queue/index.js';
import { RecentProof } from '../assurance/recent-proof.js';
import { AccountNotices } from '../notices/account-notices.js';
import { ErasedAccount } from './erased-account.js';
import { ERASURES_BELL } from './erasures.job.js';

/** Erases people at their own request. */
@Injectable()
export class Erasures {
  constructor(
    private readonly recent: RecentProof,
    private readonly account: ErasedAccount,
    private readonly notices: AccountNotices,
    private readonly queue: JobQueue,
    private readonly work: UnitOfWork,
  ) {}

  /** @throws ApiError 403 `fresh_proof_required`, 422 `embedded_wallets_would_be_lost`, `last_owner` */
  async erase(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    withWallets: boolean,
    client: ClientOrigin,
  ): Promise<void> {
    await this.recent.assert(environmentId, caller, 'user:delete');
    const addresses = await this.notices.addressesOf(environmentId, caller.userId);
    await this.work.run(async (tx) => {
      await this.account.erase(environmentId, caller.userId, withWallets, tx);
      tx.afterCommit(() => this.queue.ring(ERASURES_BELL));
    });
    await this.notices.tell(environmentId, addresses, { change: 'erased', userAgent: client.userAgent });
  }
}
