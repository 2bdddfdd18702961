import { Injectable } from '@nestjs/common';
import { Config, type VendorAddress } from '../../config/index.js';

/** Where vendors are, for deployments in which they are elsewhere than their own documentation says. */
@Injectable()
export class ProviderAddresses {
  private readonly clients = new Map<string, VendorAddress>();

  constructor(private readonly config: Config) {}

  /** What the setting says of a type; empty where it says nothing. */
  of(provider: string, clientId?: string): VendorAddress {
    const own = clientId === undefined ? undefined : this.clients.get(clientId);
    return own ?? this.config.get('PROVIDER_ADDRESSES')[provider] ?? {};
  }

  /** The client of a vendor that this process is itself, as in development. */
  place(clientId: string, address: VendorAddress): void {
    this.clients.set(clientId, address);
  }
}
