import { Injectable } from '@nestjs/common';
import type { SigningChain } from '../../custody/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { UserIdentities } from '../../identity/index.js';
import { walletSignsIn } from '../record/wallet.errors.js';

/** Sign-in addresses. Once an embedded wallet has such an address, its signatures no longer prove the user. */
@Injectable()
export class SignInAddresses {
  constructor(private readonly identities: UserIdentities) {}

  /**
   * Keeps the addresses, locked in one order, from being proven until the transaction ends. Call before locking rows.
   * @throws ApiError wallet_signs_in when one of them is proven
   */
  async assertNone(
    environmentId: EnvironmentId,
    accounts: readonly { readonly chain: SigningChain; readonly address: string }[],
    tx: Transaction,
  ): Promise<void> {
    const sorted = [...accounts].sort((one, other) => (one.address < other.address ? -1 : 1));
    for (const { chain, address: value } of sorted) {
      const { isProven } = await this.identities.lookAlone(environmentId, { value, chain }, tx);
      if (isProven) throw walletSignsIn();
    }
  }
}
