import { KeyVendor } from '../../examples/vendor-custodian/index.js';
import type { AccountPlace, EmbeddedAccount } from '../../src/custody/index.js';
import { deriveAccount } from '../../src/custody/derivation/derive-account.js';
import { SecretBytes } from '../../src/vault/index.js';

/** A vendor in this process, that counts what it is asked to do. */
export class VendorStandIn extends KeyVendor {
  readonly keys = new Map<string, Buffer>();
  readonly dropped: string[] = [];
  isAway = false;

  async makeKeys(name: string): Promise<void> {
    this.keys.set(name, SecretBytes.random(64).expose());
  }

  async accounts(name: string, places: readonly AccountPlace[]): Promise<EmbeddedAccount[]> {
    const seed = SecretBytes.from(Buffer.from(this.keys.get(name)!));
    return places.map(({ chain, index }) => ({ chain, index, ...deriveAccount(seed, chain, index) }));
  }

  dropUnused(name: string): void {
    this.keys.delete(name);
    this.dropped.push(name);
  }

  async destroy(name: string): Promise<void> {
    if (this.isAway) throw new Error('The vendor does not answer.');
    this.keys.delete(name);
  }
}
