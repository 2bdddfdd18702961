import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import type { UserWallet } from '../../identity/index.js';
import { walletNotClaimed } from '../record/wallet.errors.js';
import { WalletsRepository } from '../record/wallets.repository.js';
import { HeldWalletsRepository, type HeldWallet } from '../signing/held-wallets.repository.js';

/** The wallets for which codes are requested, and their users. */
@Injectable()
export class RecoveryWallets {
  constructor(
    private readonly held: HeldWalletsRepository,
    private readonly wallets: WalletsRepository,
  ) {}

  /** @throws ApiError not_found unless it is an embedded wallet of the user that is not hidden, wallet_not_claimed */
  async own(environmentId: EnvironmentId, userId: string, walletId: string): Promise<HeldWallet> {
    const wallet = await this.held.find(environmentId, userId, walletId);
    if (!wallet) throw notFound();
    if (!wallet.isClaimed) throw walletNotClaimed();
    return wallet;
  }

  /** The same, in the form shown in events. */
  async shown(environmentId: EnvironmentId, { walletId }: HeldWallet): Promise<UserWallet> {
    const wallet = await this.wallets.findById(environmentId, walletId);
    if (!wallet) throw notFound();
    return wallet;
  }

  /** Serialises calls for one user. @throws ApiError not_found */
  async lockUser(environmentId: EnvironmentId, userId: string, tx: Transaction): Promise<void> {
    if (!(await this.wallets.lockUser(environmentId, userId, tx))) throw notFound();
  }

  /** The same, when the wallet may have been removed meanwhile. @throws ApiError not_found */
  async lockWithWallet(
    environmentId: EnvironmentId,
    userId: string,
    wallet: HeldWallet,
    tx: Transaction,
  ): Promise<void> {
    await this.lockUser(environmentId, userId, tx);
    if (!(await this.held.hold(environmentId, userId, wallet, tx))) throw notFound();
  }
}
