import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../../database/index.js';
import { CredentialsRepository } from '../../credentials/credentials.repository.js';
import { HeldAddresses } from '../../credentials/held-addresses.js';
import { identifierKeyOf } from '../../credentials/identifier-key.js';
import type { Chain } from '../../vocabulary/chains.js';
import { walletOfAnotherNetwork } from './wallet.errors.js';

/**
 * A key, and its holder, is the same on every network. A contract is not: at one address, two networks may have
 * contracts of different owners, or one may have none yet, where the original owner can still deploy it. So a wallet
 * proven by a contract is accepted on that contract's network only.
 */
@Injectable()
export class AccountNetworks {
  constructor(
    private readonly credentials: CredentialsRepository,
    private readonly held: HeldAddresses,
  ) {}

  /**
   * Serialises concurrent first proofs of an address on several networks: one is first, the others wait here.
   * @param network whose contract verified the signature; null if a key did
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
