import { Injectable } from '@nestjs/common';
import type { DashboardPrincipal } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { keyActorOf } from '../../custody/index.js';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { ChangeLog } from '../../organizations/index.js';
import { EMBEDDED_WALLET_VERSIONS, type UserWallet } from '../../identity/index.js';
import type { EnumValue } from '../../common/fields/index.js';
import { KeyRetirement } from '../making/key-retirement.js';
import { PastTotalsRepository } from '../policies/past-totals.repository.js';
import { WALLET_DELETED, walletEvent } from '../record/wallet.events.js';
import { DEFAULT_PAGE, type ListWalletsQuery, type WalletsResponse } from '../record/wallet-detail.dto.js';
import type { UserWalletsResponse } from '../record/wallet.dto.js';
import { WalletListingRepository } from '../record/wallet-listing.repository.js';
import { WalletsRepository } from '../record/wallets.repository.js';

type EmbeddedWalletVersion = EnumValue<typeof EMBEDDED_WALLET_VERSIONS>;

/** Reading and deleting the wallets of users. */
@Injectable()
export class WalletsService {
  constructor(
    private readonly wallets: WalletsRepository,
    private readonly listing: WalletListingRepository,
    private readonly pastTotals: PastTotalsRepository,
    private readonly changes: ChangeLog,
    private readonly retirement: KeyRetirement,
    private readonly work: UnitOfWork,
  ) {}

  /** @throws ApiError not_found for an unknown user */
  async listOfUser(environmentId: EnvironmentId, userId: string): Promise<UserWalletsResponse> {
    const wallets = await this.wallets.findOfUser(environmentId, userId);
    if (!wallets) throw notFound();
    return { count: wallets.length, wallets };
  }

  /** @throws ApiError not_found */
  async get(environmentId: EnvironmentId, walletId: string): Promise<UserWallet> {
    const wallet = await this.wallets.findById(environmentId, walletId);
    if (!wallet) throw notFound();
    return wallet;
  }

  /** Every wallet of the environment, hidden ones included, newest first. */
  async page(environmentId: EnvironmentId, query: ListWalletsQuery): Promise<WalletsResponse> {
    const { limit = DEFAULT_PAGE, offset = 0 } = query;
    return { ...(await this.listing.page(environmentId, limit, offset)), limit, offset };
  }

  /** The versions of the embedded wallets in the environment. */
  versionsInUse(environmentId: EnvironmentId): Promise<EmbeddedWalletVersion[]> {
    return this.listing.versionsInUse(environmentId, EMBEDDED_WALLET_VERSIONS.values);
  }

  /**
   * Deletes a wallet with its credential. The seed of an embedded wallet stays for the user's other wallets: as long as
   * it does, creating the wallet again gives the same address, from the same seed and account index. An imported key is
   * taken out of use with its wallet and destroyed after 30 days, as is a seed with its last wallet if the others were
   * upgraded: it is their key as well. For a shared key, the service's shares are deleted at once.
   *
   * @throws ApiError not_found
   */
  async delete(environmentId: EnvironmentId, walletId: string, actor: DashboardPrincipal): Promise<void> {
    await this.work.run(async (tx) => {
      this.wallets.lockToRemove(environmentId, walletId, tx);
      this.pastTotals.keep(environmentId, [walletId], tx);
      const deleted = await this.wallets.remove(environmentId, walletId, tx);
      if (!deleted) throw notFound();
      const { userId, endedKeysId, lastOf, shares } = deleted;
      const why = { actor: keyActorOf(actor), reason: 'the wallet was deleted' };
      this.retirement.tellOfShares({ environmentId, userId }, shares, why, tx);
      if (lastOf) this.retirement.tellOfUnheld({ environmentId, userId }, [lastOf], why, tx);
      if (endedKeysId) await this.retirement.retire({ environmentId, userId, keysId: endedKeysId }, why, tx);
      const drafts = [walletEvent(WALLET_DELETED, deleted.userId, deleted.wallet)];
      await this.changes.tell(environmentId, { type: 'wallet', actor, drafts }, tx);
    });
  }
}
