import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { isUuid } from '../../common/ids.js';
import { Outbox, type EnvironmentId } from '../../database/index.js';
import {
  AdmittedChanges,
  SessionAnswer,
  USER_UPDATED,
  userEvent,
  UserReader,
  type FullUser,
  type SignedIn,
} from '../../identity/index.js';
import { invalidWalletId } from '../record/wallet.errors.js';
import { WalletsRepository } from '../record/wallets.repository.js';

/** Selects which of several wallets is the user's main one. */
@Injectable()
export class WalletSelection {
  constructor(
    private readonly wallets: WalletsRepository,
    private readonly users: UserReader,
    private readonly answer: SessionAnswer,
    private readonly outbox: Outbox,
    private readonly changes: AdmittedChanges,
  ) {}

  /** @throws ApiError invalid_wallet_id unless it is a wallet of the caller that is not hidden */
  async select(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    walletId: string,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    if (!isUuid(walletId)) throw invalidWalletId();
    const { userId } = caller;
    const { user } = await this.changes.run(environmentId, client, async (tx) => {
      // Locked before the wallet and its credential, in the same order as when the user is deleted.
      if (!(await this.wallets.holdUser(environmentId, userId, tx))) throw invalidWalletId();
      if (!(await this.wallets.select(environmentId, userId, walletId, tx))) throw invalidWalletId();
      const selected = await this.users.getFull(environmentId, userId, tx);
      await this.outbox.append(environmentId, [userEvent(USER_UPDATED, selected, userId)], tx);
      return { user: selected };
    });
    return this.answer.renew(environmentId, caller, user, client);
  }
}
