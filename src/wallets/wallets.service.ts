import { Injectable } from '@nestjs/common';
import { notFound } from '../common/errors/index.js';
import { Outbox, UnitOfWork, type EnvironmentId } from '../database/index.js';
import type { UserWallet } from '../identity/index.js';
import { WALLET_DELETED, walletEvent } from './wallet.events.js';
import type { UserWalletsResponse } from './wallet.dto.js';
import { WalletsRepository } from './wallets.repository.js';

/** Reading and deleting the wallets of users. */
@Injectable()
export class WalletsService {
  constructor(
    private readonly wallets: WalletsRepository,
    private readonly outbox: Outbox,
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

  /**
   * Deletes a wallet with its credential. The seed of an embedded wallet stays, for the user's other wallets: creating
   * the wallet again gives the same address, from the same seed and account index.
   *
   * @throws ApiError not_found
   */
  async delete(environmentId: EnvironmentId, walletId: string): Promise<void> {
    await this.work.run(async (tx) => {
      const deleted = await this.wallets.remove(environmentId, walletId, tx);
      if (!deleted) throw notFound();
      await this.outbox.append(environmentId, [walletEvent(WALLET_DELETED, deleted.userId, deleted.wallet)], tx);
    });
  }
}
