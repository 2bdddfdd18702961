import { Injectable } from '@nestjs/common';
import { Outbox, type EnvironmentId, type Transaction } from '../../database/index.js';
import {
  mergeAccountsInvalid,
  type CredentialFollower,
  type Move,
  type ConnectedWallet,
} from '../../identity/index.js';
import { WalletMovesRepository } from './wallet-moves.repository.js';
import { ownWalletEvent, WALLET_TRANSFERRED, WALLET_UNLINKED } from '../record/wallet.events.js';
import { WalletsRepository } from '../record/wallets.repository.js';

const EMBEDDED =
  'The other account has an embedded wallet, or the keys of a deleted one. They are sealed to it. Sign in to that account, and merge this one into it.';

/** Moves or removes wallets when their credentials move to another user or are removed. */
@Injectable()
export class WalletMoves implements CredentialFollower {
  constructor(
    private readonly moves: WalletMovesRepository,
    private readonly wallets: WalletsRepository,
    private readonly outbox: Outbox,
  ) {}

  /**
   * @throws ApiError 422 `merge_accounts_invalid` when the user merged away has an embedded wallet, hidden or not, or
   *   keys of a deleted one: they would be destroyed, and an undo of the merge would not bring them back
   */
  async merge(environmentId: EnvironmentId, { fromUserId, userId }: Move, tx: Transaction): Promise<string[]> {
    if (await this.moves.hasKeys(environmentId, fromUserId, tx)) throw mergeAccountsInvalid({ hint: EMBEDDED });
    return this.moves.moveAll(environmentId, fromUserId, userId, tx);
  }

  async unmerge(
    environmentId: EnvironmentId,
    { fromUserId, userId }: Move,
    moved: string[],
    tx: Transaction,
  ): Promise<void> {
    await this.moves.move(environmentId, userId, fromUserId, moved, tx);
  }

  async follow(environmentId: EnvironmentId, { fromUserId, userId }: Move, id: string, tx: Transaction): Promise<void> {
    const wallet = await this.moves.moveOne(environmentId, fromUserId, userId, id, tx);
    if (!wallet) return;
    const { data, ...moved } = ownWalletEvent(WALLET_TRANSFERRED, userId, wallet);
    await this.outbox.append(environmentId, [{ ...moved, data: { ...data, fromUserId } }], tx);
  }

  async drop(environmentId: EnvironmentId, userId: string, walletId: string, tx: Transaction): Promise<void> {
    const wallet = await this.moves.drop(environmentId, userId, walletId, tx);
    if (!wallet) return;
    await this.outbox.append(environmentId, [ownWalletEvent(WALLET_UNLINKED, userId, wallet)], tx);
  }

  prefer(environmentId: EnvironmentId, userId: string, walletId: string, tx: Transaction): Promise<boolean> {
    return this.wallets.select(environmentId, userId, walletId, tx);
  }

  connect(environmentId: EnvironmentId, userId: string, shown: ConnectedWallet, tx: Transaction): void {
    this.moves.connect(environmentId, userId, shown, tx);
  }
}
