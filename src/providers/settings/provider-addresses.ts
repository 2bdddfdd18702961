import { Injectable } from '@nestjs/common';
import { Config, type VendorAddress } from '../../config/index.js';

/** Vendor addresses that override the documented ones in this deployment. */
@Injectable()
export class ProviderAddresses {
  private readonly clients = new Map<string, VendorAddress>();

  constructor(private readonly config: Config) {}

  /** The override for a type; empty when there is none. */
  of(provider: string, clientId?: string): VendorAddress {
    const own = clientId === undefined ? undefined : this.clients.get(clientId);
    return own ?? this.config.get('PROVIDER_ADDRESSES')[provider] ?? {};
  }

  /** Registers a vendor that this process itself simulates, as in development. */
  place(clientId: string, address: VendorAddress): void {
    this.clients.set(clientId, address);
  }
}
