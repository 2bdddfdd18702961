import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import type { IdentifierKey } from './identifier-key.js';

export type AddressKey = Pick<IdentifierKey, 'spellings' | 'chains'>;

/** Whoever keeps the keys of users knows whose an address is. */
export abstract class AddressHolder {
  /** @returns the user of the embedded wallet with this address, a hidden one included; null where there is none */
  abstract userOf(environmentId: EnvironmentId, address: AddressKey): Promise<string | null>;
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
  async userOf(environmentId: EnvironmentId, address: AddressKey): Promise<string | null> {
    for (const holder of this.holders) {
      const userId = await holder.userOf(environmentId, address);
      if (userId !== null) return userId;
    }
    return null;
  }
}
