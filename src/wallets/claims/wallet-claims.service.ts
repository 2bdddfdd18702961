import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { Outbox, UnitOfWork, type EnvironmentId } from '../../database/index.js';
import {
  SessionAnswer,
  USER_UPDATED,
  userEvent,
  UserReader,
  type FullUser,
  type SignedIn,
} from '../../identity/index.js';
import { ClaimsRepository } from './claims.repository.js';
import { invalidWalletId } from '../record/wallet.errors.js';
import { WalletsRepository } from '../record/wallets.repository.js';

/**
 * Wallets that were made ahead become their user's own. Whoever has a session of that user has proven the identifier that
 * the wallet was made for: identifiers that are only stated find nobody at sign-in.
 */
@Injectable()
export class WalletClaims {
  constructor(
    private readonly claims: ClaimsRepository,
    private readonly wallets: WalletsRepository,
    private readonly users: UserReader,
    private readonly answer: SessionAnswer,
    private readonly outbox: Outbox,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Claiming again changes nothing and is answered the same.
   *
   * @throws ApiError invalid_wallet_id unless it is an embedded wallet of the caller that is not hidden
   */
  async claim(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    walletId: string,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    const { userId } = caller;
    const user = await this.work.run(async (tx) => {
      // Before the wallet and its credential, as whoever deletes the user does.
      if (!(await this.wallets.holdUser(environmentId, userId, tx))) throw invalidWalletId();
      const outcome = await this.claims.claim(environmentId, userId, walletId, tx);
      if (outcome === 'unknown') throw invalidWalletId();
      const claimed = await this.users.getFull(environmentId, userId, tx);
      if (outcome === 'claimed')
        await this.outbox.append(environmentId, [userEvent(USER_UPDATED, claimed, userId)], tx);
      return claimed;
    });
    return this.answer.renew(environmentId, caller, user, client);
  }
}
