import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { keyActorOf, KeySigning } from '../../custody/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { HeldWalletsRepository } from './held-wallets.repository.js';
import { signingRequestOf } from './signing-request.js';
import type { SignedByEmbeddedWallet, SignWithEmbeddedWalletRequest } from './signing.dto.js';
import { walletNotClaimed } from '../record/wallet.errors.js';

/** Signatures of embedded wallets, requested by their users. */
@Injectable()
export class WalletSigning {
  constructor(
    private readonly wallets: HeldWalletsRepository,
    private readonly signing: KeySigning,
  ) {}

  /**
   * @throws ApiError not_found unless it is an embedded wallet of the caller that is not hidden, wallet_not_claimed,
   *   and whatever `KeySigning` refuses
   */
  async sign(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    walletId: string,
    body: SignWithEmbeddedWalletRequest,
  ): Promise<SignedByEmbeddedWallet> {
    const request = signingRequestOf(body);
    const { userId } = caller;
    const wallet = await this.wallets.find(environmentId, userId, walletId);
    if (!wallet) throw notFound();
    if (!wallet.isClaimed) throw walletNotClaimed();
    return this.signing.sign({ ...wallet, environmentId, userId }, request, {
      actor: keyActorOf(caller),
    });
  }
}
