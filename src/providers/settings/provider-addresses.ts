import { Injectable } from '@nestjs/common';
import { Config, type VendorAddress } from '../../config/index.js';

/** Where vendors are, for deployments in which they are elsewhere than their own documentation says. */
@Injectable()
export class ProviderAddresses {
  constructor(private readonly config: Config) {}

  /** What the setting says of a type; empty where it says nothing. */
  of(provider: string): VendorAddress {
    return this.config.get('PROVIDER_ADDRESSES')[provider] ?? {};
  }
}
