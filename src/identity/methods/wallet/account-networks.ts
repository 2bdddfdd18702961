import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../../database/index.js';
import { CredentialsRepository } from '../../credentials/credentials.repository.js';
import { HeldAddresses } from '../../credentials/held-addresses.js';
import { identifierKeyOf } from '../../credentials/identifier-key.js';
import type { Chain } from '../../vocabulary/chains.js';
import { walletOfAnotherNetwork } from './wallet.errors.js';

/**
 * A key is the same on every network, and so is whoever has it. At one address two networks may have contracts of two
 * owners, or one may have a contract and the other none as yet, where the first owner still can make it. So whoever came in
 * by a contract is known by that of this network alone.
 */
@Injectable()
export class AccountNetworks {
  constructor(
    private readonly credentials: CredentialsRepository,
    private readonly held: HeldAddresses,
  ) {}

  /**
   * Of any number who prove an address for the first time, on several networks, one is first; the others wait for it here.
   * @param network whose contract has said that the signature holds; null where a key has
   * @throws ApiError 422 `wallet_of_another_network`
   */
  async assertSame(
    environmentId: EnvironmentId,
    wallet: { value: string; chain: Chain },
    network: number | null,
    tx: Transaction,
  ): Promise<void> {
    if (network === null) return;
    const key = identifierKeyOf({ ...wallet, kind: 'wallet' });
    await this.held.hold(environmentId, key, tx);
    if (!(await this.credentials.holdsOnNetwork(environmentId, key, network, tx))) throw walletOfAnotherNetwork();
  }
}
