import { Injectable } from '@nestjs/common';
import { lockTenant, type EnvironmentId, type Executor, type Transaction } from '../../database/index.js';
import { embeddedWalletProvesNobody } from './identifier.errors.js';
import type { IdentifierKey } from './identifier-key.js';

export type AddressKey = Pick<IdentifierKey, 'identifier' | 'spellings' | 'chains'>;

/** Whoever keeps the keys of users knows whose an address is. */
export abstract class AddressHolder {
  /**
   * @param on the transaction whose sight it is; any connection by default
   * @returns the user of the embedded wallet with this address, a hidden one included; null where there is none
   */
  abstract userOf(environmentId: EnvironmentId, address: AddressKey, on?: Executor): Promise<string | null>;
}

/**
 * Addresses whose keys are kept by the service. Such a key signs for every session of its user and for servers that the
 * user lets sign: its signature proves what they may do already, and never who somebody is.
 */
@Injectable()
export class HeldAddresses {
  private readonly holders: AddressHolder[] = [];

  /** For the contexts above that keep keys. */
  register(holder: AddressHolder): void {
    this.holders.push(holder);
  }

  /** The user whose embedded wallet has the address; null where its keys are kept elsewhere. */
  async userOf(environmentId: EnvironmentId, address: AddressKey, on?: Executor): Promise<string | null> {
    for (const holder of this.holders) {
      const userId = await holder.userOf(environmentId, address, on);
      if (userId !== null) return userId;
    }
    return null;
  }

  /**
   * For whoever brings the key of an address: waits for those who prove it at this moment, and keeps others waiting until
   * the transaction ends. Taken before any row.
   */
  async hold(environmentId: EnvironmentId, { identifier }: AddressKey, tx: Transaction): Promise<void> {
    await lockTenant(`wallet ${identifier}`, environmentId, tx);
  }

  /**
   * For whoever is about to write that an address is proven.
   * @throws ApiError 422 `embedded_wallet_proves_nobody` when its key was brought in the meantime
   */
  async assertElsewhere(environmentId: EnvironmentId, address: AddressKey, tx: Transaction): Promise<void> {
    await this.hold(environmentId, address, tx);
    if ((await this.userOf(environmentId, address, tx)) !== null) throw embeddedWalletProvesNobody();
  }
}
