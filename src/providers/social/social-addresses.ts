import { Injectable } from '@nestjs/common';
import type { ProviderConfiguration } from '../settings/provider.dto.js';
import { ProviderAddresses } from '../settings/provider-addresses.js';
import type { OAuthVendor, OidcVendor, OpenId2Vendor, VendorAddresses } from './social-vendor.js';

type Configuration = Partial<ProviderConfiguration>;
type Placed = OidcVendor | OAuthVendor | OpenId2Vendor;

/** Vendor addresses: the documented ones, unless the deployment overrides them. */
@Injectable()
export class SocialAddresses {
  constructor(private readonly configured: ProviderAddresses) {}

  of(vendor: OAuthVendor | OpenId2Vendor, configuration: Configuration): VendorAddresses {
    const { authorize, token, profile, api } = this.configured.of(vendor.type.name, configuration.clientId);
    const { addresses } = vendor;
    const placed = (address: string): string => filled(address, configuration);
    return {
      authorize: authorize ?? placed(addresses.authorize),
      token: token ?? placed(addresses.token),
      profile: profile ?? placed(addresses.profile),
      ...((api ?? addresses.api) !== undefined && { api: api ?? addresses.api! }),
    };
  }

  /** The issuer whose discovery document is read; null for a vendor with fixed endpoints. */
  issuerToDiscover(vendor: OidcVendor, configuration: Configuration): string | null {
    const { issuer } = this.configured.of(vendor.type.name);
    if (issuer !== undefined) return issuer;
    if (vendor.endpoints || (vendor.issuer.includes('{domain}') && !configuration.domain)) return null;
    return filled(vendor.issuer, configuration);
  }

  /** The authorization endpoint, if known without discovery. */
  pageOf(vendor: Placed, configuration: Configuration): string | null {
    if (vendor.protocol !== 'oidc') {
      const { authorize } = this.of(vendor, configuration);
      return authorize.includes('{') ? null : authorize;
    }
    const { issuer, authorize } = this.configured.of(vendor.type.name);
    if (authorize !== undefined) return authorize;
    if (issuer === undefined && vendor.endpoints) return vendor.endpoints.authorize;
    const discovered = this.issuerToDiscover(vendor, configuration);
    return discovered === null ? null : (vendor.page?.(discovered.replace(/\/$/, '')) ?? null);
  }
}

/** Fields are validated when saved: a store is a single label, a domain a host with an optional path. */
function filled(address: string, { commerceStore, domain }: Configuration): string {
  return address.replace('{store}', commerceStore ?? '{store}').replace('{domain}', domain ?? '{domain}');
}
