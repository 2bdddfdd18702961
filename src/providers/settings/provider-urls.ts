import { Injectable } from '@nestjs/common';
import { API_PREFIX } from '../../common/http/operation.js';
import { Config } from '../../config/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { vendorOf } from '../social/catalogue.js';
import { SocialAddresses } from '../social/social-addresses.js';
import type { ProviderConfiguration } from './provider.dto.js';

/** Exceptions: one vendor posts its response, one does not allow the word redirect in a path. */
const REDIRECT_PATHS: Record<string, string> = {
  coinbasesocial: 'providers/cbOauthRedirectUrl',
};

/** URLs of a provider, built from the deployment's configuration and never from a request. */
@Injectable()
export class ProviderUrls {
  constructor(
    private readonly config: Config,
    private readonly addresses: SocialAddresses,
  ) {}

  /** Absent for providers without a redirect. */
  of(
    environmentId: EnvironmentId,
    provider: string,
    configuration: Partial<ProviderConfiguration> = {},
  ): { authorizationUrl?: string; redirectUrl?: string; baseAuthUrl?: string } {
    const vendor = vendorOf(provider);
    if (!vendor || vendor.protocol === 'own') return {};
    const base = `${this.config.publicUrl}/${API_PREFIX}/sdk/${environmentId}`;
    const authorizationUrl = this.addresses.pageOf(vendor, configuration);
    return {
      ...(authorizationUrl && { authorizationUrl }),
      redirectUrl: `${base}/${REDIRECT_PATHS[provider] ?? `providers/${provider}/redirect`}`,
      baseAuthUrl: `${base}/providers/${provider}/login`,
    };
  }
}
