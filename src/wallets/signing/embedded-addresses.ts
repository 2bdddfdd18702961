import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { EnvironmentId, Executor } from '../../database/index.js';
import { AddressHolder, HeldAddresses, type AddressKey } from '../../identity/index.js';
import { HeldWalletsRepository } from './held-wallets.repository.js';

/** Tells sign-in which addresses have their keys here, with any custodian. */
@Injectable()
export class EmbeddedAddresses extends AddressHolder implements OnModuleInit {
  constructor(
    private readonly wallets: HeldWalletsRepository,
    private readonly held: HeldAddresses,
  ) {
    super();
  }

  onModuleInit(): void {
    this.held.register(this);
  }

  override userOf(environmentId: EnvironmentId, address: AddressKey, on?: Executor): Promise<string | null> {
    return this.wallets.findUserOf(environmentId, address, on);
  }
}
