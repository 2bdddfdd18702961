import { Injectable } from '@nestjs/common';
import type { SigningChain } from '../../custody/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { UserIdentities } from '../../identity/index.js';
import { walletSignsIn } from '../record/wallet.errors.js';

/** Addresses that sign somebody in. As those of embedded wallets they would prove nobody any more, whoever has them. */
@Injectable()
export class SignInAddresses {
  constructor(private readonly identities: UserIdentities) {}

  /**
   * Nobody proves one of them before the transaction ends. Asked before any row is locked, and always in one order.
   * @throws ApiError wallet_signs_in when somebody has proven one of them
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
