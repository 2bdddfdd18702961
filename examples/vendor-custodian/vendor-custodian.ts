import { Injectable, type OnModuleInit } from '@nestjs/common';
import { notFound } from '../../src/common/errors/index.js';
import { newId } from '../../src/common/ids.js';
import {
  CustodianRegistry,
  type AccountPlace,
  type CreatesKeys,
  type Custodian,
  type DerivesAccounts,
  type EmbeddedAccount,
  type EmbeddedChain,
  type HeldKeys,
  type KeyOwner,
  type PreparedKeys,
  type RetiresKeys,
} from '../../src/custody/index.js';
import type { Transaction } from '../../src/database/index.js';
import { KeyVendor } from './key-vendor.js';
import { VendorKeysRepository } from './vendor-keys.repository.js';

/** Version V3: a vendor creates and holds the keys and reports addresses; signing is between it and the user. */
@Injectable()
export class VendorCustodian implements Custodian, CreatesKeys, RetiresKeys, DerivesAccounts, OnModuleInit {
  readonly version = 'V3';
  readonly can = { create: this, retire: this, derive: this };

  constructor(
    private readonly keys: VendorKeysRepository,
    private readonly vendor: KeyVendor,
    private readonly custodians: CustodianRegistry,
  ) {}

  onModuleInit(): void {
    this.custodians.register(this);
  }

  /** Calls the vendor, so it runs before the transaction. Existing keys of the user are reused. */
  async prepare(owner: KeyOwner, chains: readonly EmbeddedChain[]): Promise<PreparedKeys> {
    const { environmentId } = owner;
    const { version } = this;
    const known = await this.keys.findLiveId({ ...owner, version });
    const keysId = known ?? newId();
    const discard = (): void => {
      if (!known) this.vendor.dropUnused(keysId);
    };
    const places = chains.map((chain) => ({ chain, index: 0 }));
    if (!known) await this.keys.draft({ ...owner, version }, keysId);
    try {
      if (!known) await this.vendor.makeKeys(keysId);
      const accounts = await this.vendor.accounts(keysId, places);
      const store = async (tx: Transaction): Promise<boolean> =>
        known
          ? (await this.keys.findLiveId({ ...owner, version }, tx)) === keysId
          : this.keys.store(environmentId, keysId, tx);
      return { keysId, isNew: known === null, accounts, store, discard };
    } catch (error) {
      // The vendor may have made them although it did not say so.
      discard();
      throw error;
    }
  }

  /** Keys of another id belong to another custodian. `VendorKeysShredder` has the vendor destroy keys that are due. */
  retire(
    { keysId = null, ...owner }: KeyOwner & { keysId?: string | null },
    graceDays: number,
    tx: Transaction,
  ): Promise<string[]> {
    return this.keys.retire({ ...owner, version: this.version }, { days: graceDays, keysId }, tx);
  }

  async derive(keys: HeldKeys, places: readonly AccountPlace[]): Promise<EmbeddedAccount[]> {
    const known = await this.keys.findLiveId({ ...keys, version: this.version });
    if (known !== keys.keysId) throw notFound();
    return this.vendor.accounts(known, places);
  }
}
