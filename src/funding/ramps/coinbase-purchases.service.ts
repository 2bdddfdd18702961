import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { EnabledProviders } from '../../providers/index.js';
import { coinbaseLink } from './coinbase-links.js';
import { CoinbaseOnramp } from './coinbase-onramp.js';
import type { CoinbaseOnrampGetBuyUrlRequest } from './ramp.dto.js';
import { invalidRedirectUrl, onrampNotAvailable, onrampNotFound } from './ramp.errors.js';
import { asRampError } from './ramp-faults.js';
import { publicAddress } from './ramps.service.js';

/** Purchases on Coinbase pages. */
@Injectable()
export class CoinbasePurchases {
  constructor(
    private readonly providers: EnabledProviders,
    private readonly coinbase: CoinbaseOnramp,
  ) {}

  /** @throws onrampNotAvailable, invalidRedirectUrl, onrampRefused, vendorUnavailable */
  async url(
    environmentId: EnvironmentId,
    request: CoinbaseOnrampGetBuyUrlRequest,
    client: ClientOrigin,
  ): Promise<{ url: string }> {
    const { assets, destinationAddress, networks, ...preset } = request;
    if (preset.redirectUrl !== undefined && URL.parse(preset.redirectUrl)?.protocol !== 'https:')
      throw invalidRedirectUrl();
    const record = await this.providers.find(environmentId, 'coinbaseOnramp');
    if (!record) throw onrampNotAvailable();
    const wanted = { address: destinationAddress, networks, assets, clientIp: publicAddress(client) };
    const session = await asRampError(this.coinbase.session(record, wanted));
    return { url: coinbaseLink(this.coinbase.pageOf('buy/select-asset'), session, preset) };
  }

  async networks(environmentId: EnvironmentId): Promise<string[]> {
    const record = await this.providers.find(environmentId, 'coinbaseOnramp');
    if (!record) throw onrampNotFound();
    return asRampError(this.coinbase.networks(record));
  }
}
