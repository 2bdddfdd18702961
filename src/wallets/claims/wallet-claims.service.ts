import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
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
import { ClaimsRepository } from './claims.repository.js';
import { invalidWalletId } from '../record/wallet.errors.js';
import { WalletsRepository } from '../record/wallets.repository.js';

/**
 * Lets users claim wallets that were made ahead for them. A session of the user proves the identifier that the wallet
 * was made for: sign-in never finds a user by an identifier that is only stated.
 */
@Injectable()
export class WalletClaims {
  constructor(
    private readonly claims: ClaimsRepository,
    private readonly wallets: WalletsRepository,
    private readonly users: UserReader,
    private readonly answer: SessionAnswer,
    private readonly outbox: Outbox,
    private readonly changes: AdmittedChanges,
  ) {}

  /**
   * Idempotent: claiming again gives the same answer.
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
    const { user } = await this.changes.run(environmentId, client, async (tx) => {
      // Locked before the wallet, in the same order as when the user is deleted.
      if (!(await this.wallets.holdUser(environmentId, userId, tx))) throw invalidWalletId();
      const outcome = await this.claims.claim(environmentId, userId, walletId, tx);
      if (outcome === 'unknown') throw invalidWalletId();
      const claimed = await this.users.getFull(environmentId, userId, tx);
      if (outcome === 'claimed')
        await this.outbox.append(environmentId, [userEvent(USER_UPDATED, claimed, userId)], tx);
      return { user: claimed };
    });
    return this.answer.renew(environmentId, caller, user, client);
  }
}
