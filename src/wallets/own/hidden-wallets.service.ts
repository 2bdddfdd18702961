import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { isUuid } from '../../common/ids.js';
import { invalidFields } from '../../common/http/validation.pipe.js';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { keyActorOf, KeyLedger, type KeyActor, type KeyUse } from '../../custody/index.js';
import { CredentialWriter, type UserWallet } from '../../identity/index.js';
import { ChangeLog } from '../../organizations/index.js';
import { HiddenWalletsRepository, type RestoredWallet } from './hidden-wallets.repository.js';
import { DelegationEndings } from '../delegation/delegation-endings.js';
import { WalletExportsRepository } from '../exports/wallet-exports.repository.js';
import { actorOf } from '../record/wallet-actor.js';
import { embeddedCredential } from '../record/wallet-credential.js';
import type { WalletRecoveryRequest, WalletRecoveryResponse } from '../record/wallet-detail.dto.js';
import { WALLET_DELETED, WALLET_RESTORED, walletEvent } from '../record/wallet.events.js';
import { WalletsRepository } from '../record/wallets.repository.js';

/**
 * Hides embedded wallets and restores them. Keys and addresses do not change; access of servers ends, since a team may
 * restore wallets as well and would give itself what the user has revoked. Pending exports end as well: hiding the
 * wallet is how a user reacts to the mail about an export they did not ask for. The user is locked before the wallet,
 * as when either is deleted: a credential refers to its user, and is deleted before the wallet when the user is.
 */
@Injectable()
export class HiddenWalletsService {
  constructor(
    private readonly hidden: HiddenWalletsRepository,
    private readonly wallets: WalletsRepository,
    private readonly credentials: CredentialWriter,
    private readonly delegations: DelegationEndings,
    private readonly exports: WalletExportsRepository,
    private readonly ledger: KeyLedger,
    private readonly changes: ChangeLog,
    private readonly work: UnitOfWork,
  ) {}

  /** @throws ApiError not_found unless it is an embedded wallet of the caller that is not hidden */
  async hide(environmentId: EnvironmentId, caller: EndUserPrincipal, walletId: string): Promise<void> {
    const { userId } = caller;
    await this.work.run(async (tx) => {
      if (!(await this.wallets.holdUser(environmentId, userId, tx))) throw notFound();
      const wallet = await this.hidden.hide(environmentId, userId, walletId, tx);
      if (!wallet) throw notFound();
      await this.delegations.end(environmentId, caller, [walletId], tx);
      this.exports.end(environmentId, walletId, tx);
      const drafts = [walletEvent(WALLET_DELETED, userId, wallet)];
      await this.changes.tell(environmentId, { type: 'wallet', actor: caller, drafts }, tx);
    });
  }

  /**
   * Restoring a wallet that is not hidden is a no-op.
   *
   * @throws ApiError not_found unless it is an embedded wallet of the caller
   */
  async restore(environmentId: EnvironmentId, caller: EndUserPrincipal, walletId: string): Promise<void> {
    const [{ userId }, actor] = [caller, keyActorOf(caller)];
    const back = await this.bringBack(environmentId, { userId, walletId, actor });
    if (back.length === 0 && !(await this.hidden.exists(environmentId, userId, walletId))) throw notFound();
  }

  /** @throws ApiError validation_failed without a user, not_found for an unknown one */
  async recover(
    environmentId: EnvironmentId,
    request: WalletRecoveryRequest,
    actor: KeyActor,
  ): Promise<WalletRecoveryResponse> {
    if (!request.userId) throw invalidFields([{ field: 'userId', message: 'userId is required' }]);
    const userId = request.userId.toLowerCase();
    if (!isUuid(userId)) throw notFound();
    const back = await this.bringBack(environmentId, { userId, walletId: null, actor });
    const walletIds = back.map(({ id }) => id);
    return { data: { walletIds }, message: `Wallets that are back: ${walletIds.length}` };
  }

  private bringBack(
    environmentId: EnvironmentId,
    { userId, walletId, actor }: { userId: string; walletId: string | null; actor: KeyActor },
  ): Promise<UserWallet[]> {
    return this.work.run(async (tx) => {
      if (!(await this.wallets.holdUser(environmentId, userId, tx))) throw notFound();
      const restored = await this.hidden.restore(environmentId, userId, walletId, tx);
      if (restored.length === 0) return [];
      const back = restored.map(({ wallet }) => wallet);
      this.credentials.add(environmentId, userId, back.map(embeddedCredential), tx);
      for (const one of restored) this.ledger.record(environmentId, recoveryOf(userId, one, actor), tx);
      const drafts = back.map((wallet) => walletEvent(WALLET_RESTORED, userId, wallet));
      await this.changes.tell(environmentId, { type: 'wallet', actor: actorOf(actor), drafts }, tx);
      return back;
    });
  }
}

function recoveryOf(userId: string, { wallet, keysId }: RestoredWallet, actor: KeyActor): KeyUse {
  const { id: walletId, chain, publicKey: address } = wallet;
  const about = { actor, userId, keysId, subject: { walletId, chain, address }, reason: 'a hidden wallet is back' };
  return { operation: 'recover', ...about, digest: null, verdict: 'allowed' };
}
