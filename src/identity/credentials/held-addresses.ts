import { Injectable } from '@nestjs/common';
import { lockTenant, type EnvironmentId, type Executor, type Transaction } from '../../database/index.js';
import { embeddedWalletProvesNobody } from './identifier.errors.js';
import type { IdentifierKey } from './identifier-key.js';

export type AddressKey = Pick<IdentifierKey, 'identifier' | 'spellings' | 'chains'>;

/** Resolves an address to its user; implemented by the context that keeps the keys. */
export abstract class AddressHolder {
  /**
   * @param on the transaction to read in; any connection by default
   * @returns the user of the embedded wallet with this address, even if the wallet is hidden; null if there is none
   */
  abstract userOf(environmentId: EnvironmentId, address: AddressKey, on?: Executor): Promise<string | null>;
}

/**
 * Addresses whose keys the service keeps. Such a key signs for every session of its user and for servers that the user
 * has authorised, so its signature proves a permission they already have, never an identity.
 */
@Injectable()
export class HeldAddresses {
  private readonly holders: AddressHolder[] = [];

  /** Called by the higher-level contexts that keep keys. */
  register(holder: AddressHolder): void {
    this.holders.push(holder);
  }

  /** The user whose embedded wallet has the address; null if the service does not keep its key. */
  async userOf(environmentId: EnvironmentId, address: AddressKey, on?: Executor): Promise<string | null> {
    for (const holder of this.holders) {
      const userId = await holder.userOf(environmentId, address, on);
      if (userId !== null) return userId;
    }
    return null;
  }

  /**
   * Taken by imports of a key: waits for proofs of the address in progress, and blocks new ones until the transaction
   * ends. Must be taken before any row lock.
   */
  async hold(environmentId: EnvironmentId, { identifier }: AddressKey, tx: Transaction): Promise<void> {
    await lockTenant(`wallet ${identifier}`, environmentId, tx);
  }

  /**
   * To be called before an address is stored as proven.
   * @throws ApiError 422 `embedded_wallet_proves_nobody` if its key has been imported in the meantime
   */
  async assertElsewhere(environmentId: EnvironmentId, address: AddressKey, tx: Transaction): Promise<void> {
    await this.hold(environmentId, address, tx);
    if ((await this.userOf(environmentId, address, tx)) !== null) throw embeddedWalletProvesNobody();
  }
}
