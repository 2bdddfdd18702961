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
} from '../../src/custody/index.js';
import type { Transaction } from '../../src/database/index.js';
import { KeyVendor } from './key-vendor.js';
import { VendorKeysRepository } from './vendor-keys.repository.js';

/** Version V3: a vendor holds the keys. It makes them and tells addresses; signing is agreed between it and the user. */
@Injectable()
export class VendorCustodian implements Custodian, CreatesKeys, DerivesAccounts, OnModuleInit {
  readonly version = 'V3';
  readonly can = { create: this, derive: this };

  constructor(
    private readonly keys: VendorKeysRepository,
    private readonly vendor: KeyVendor,
    private readonly custodians: CustodianRegistry,
  ) {}

  onModuleInit(): void {
    this.custodians.register(this);
  }

  /** Before the transaction: here the vendor is asked. Keys that the user has are used, and none are made then. */
  async prepare(owner: KeyOwner, chains: readonly EmbeddedChain[]): Promise<PreparedKeys> {
    const { environmentId, userId } = owner;
    const { version } = this;
    const known = await this.keys.findLiveId({ ...owner, version });
    const keysId = known ?? newId();
    if (!known) await this.vendor.makeKeys(keysId);
    const places = chains.map((chain) => ({ chain, index: 0 }));
    return {
      keysId,
      isNew: known === null,
      accounts: await this.vendor.accounts(keysId, places),
      store: async (tx) =>
        known
          ? (await this.keys.findLiveId({ ...owner, version }, tx)) === keysId
          : (await this.keys.insertIfAbsent(environmentId, { id: keysId, userId, version }, tx)) !== null,
      discard: () => {
        if (!known) this.vendor.dropUnused(keysId);
      },
    };
  }

  /** Keys of another id are another custodian's. `VendorKeysShredder` has the vendor destroy what is due. */
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
