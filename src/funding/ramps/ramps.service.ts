import { Injectable, Logger } from '@nestjs/common';
import type { ClientOrigin } from '../../auth/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { VendorUnavailableError } from '../../networks/index.js';
import { classifyAddress } from '../../outbound/index.js';
import { EnabledProviders, type EnabledProvider } from '../../providers/index.js';
import { networkNamed, type NamedNetwork } from '../network-names.js';
import { plainDecimal } from '../transfers/plain-decimal.js';
import { VendorRefusal } from '../vendor-refusal.js';
import { Banxa } from './banxa.js';
import { coinbaseLink } from './coinbase-links.js';
import { CoinbaseOnramp } from './coinbase-onramp.js';
import { RAMP_ICONS } from './ramp-icons.js';
import type { OfframpsQuery, OnrampsQuery, RampConfiguration } from './ramp.dto.js';

const LINKED = ['coinbaseOnramp', 'banxa'] as const;
type Linked = (typeof LINKED)[number];
const NAMES: Readonly<Record<Linked, string>> = { coinbaseOnramp: 'Coinbase', banxa: 'Banxa' };

interface Visit {
  query: OnrampsQuery;
  network: NamedNetwork;
  side: 'buy' | 'sell';
  clientIp: string | undefined;
}

/** The buy and sell options enabled in an environment, each with a ready-made link. */
@Injectable()
export class Ramps {
  private readonly log = new Logger('Ramps');

  constructor(
    private readonly providers: EnabledProviders,
    private readonly coinbase: CoinbaseOnramp,
    private readonly banxa: Banxa,
  ) {}

  async onramps(environmentId: EnvironmentId, query: OnrampsQuery, client: ClientOrigin): Promise<RampConfiguration[]> {
    const usable = await this.usable(environmentId, query, 'buy', client);
    if (!query.includeDisabled) return usable;
    const off = await this.providers.listDisabled(environmentId, LINKED);
    const pages = off.map((record) => configurationOf(record, this.startPage(record)));
    return [...usable, ...pages.filter(({ provider }) => !usable.some((ramp) => ramp.provider === provider))];
  }

  offramps(environmentId: EnvironmentId, query: OfframpsQuery, client: ClientOrigin): Promise<RampConfiguration[]> {
    return this.usable(environmentId, query, 'sell', client);
  }

  private async usable(
    environmentId: EnvironmentId,
    query: OnrampsQuery,
    side: Visit['side'],
    client: ClientOrigin,
  ): Promise<RampConfiguration[]> {
    const network = networkNamed(query.chain, query.networkId || undefined);
    if (!network) return [];
    const visit = { query, network, side, clientIp: publicAddress(client) };
    const records = await this.providers.listNamed(environmentId, LINKED);
    const links = await Promise.all(records.map(async (record) => ({ record, url: await this.link(record, visit) })));
    return links.flatMap(({ record, url }) => (url === null ? [] : [configurationOf(record, url)]));
  }

  /** Null where the vendor does not trade this, or cannot be reached: an option needs a working link. */
  private async link(record: EnabledProvider, visit: Visit): Promise<string | null> {
    try {
      return await (record.provider === 'banxa' ? this.banxaLink(record, visit) : this.coinbaseLink(record, visit));
    } catch (error) {
      if (!(error instanceof VendorUnavailableError) && !(error instanceof VendorRefusal)) throw error;
      this.log.warn(`A ramp was left out: ${error.message}`);
      return null;
    }
  }

  private banxaLink(record: EnabledProvider, { query, network, side }: Visit): Promise<string | null> {
    const coin = query.token || network.symbol;
    const { walletAddress, tokenAmount: coinAmount } = query;
    const fiat = query.currency || undefined;
    return this.banxa.link(record, { side, coin, network: network.name, walletAddress, fiat, coinAmount });
  }

  private async coinbaseLink(record: EnabledProvider, { query, network, side, clientIp }: Visit): Promise<string> {
    const asset = (query.token || network.symbol).toUpperCase();
    const request = { address: query.walletAddress, networks: [network.name], assets: [asset], clientIp };
    const session = await this.coinbase.session(record, request);
    const { returnUrl: redirectUrl } = record.configuration;
    const preset = {
      defaultNetwork: network.name,
      defaultAsset: asset,
      ...(query.currency && { fiatCurrency: query.currency }),
      ...(query.tokenAmount && { presetCryptoAmount: plainDecimal(query.tokenAmount) }),
      ...(redirectUrl && { redirectUrl }),
    };
    return coinbaseLink(this.coinbase.pageOf(side === 'buy' ? 'buy/select-asset' : 'v3/sell/input'), session, preset);
  }

  private startPage(record: EnabledProvider): string {
    return record.provider === 'banxa' ? this.banxa.startPage(record) : this.coinbase.pageOf('');
  }
}

const configurationOf = (record: EnabledProvider, url: string): RampConfiguration => {
  const provider = record.provider as Linked;
  return { provider, name: NAMES[provider], iconUrl: RAMP_ICONS[provider], url };
};

/** The vendor refuses private addresses. */
export const publicAddress = ({ ipAddress }: ClientOrigin): string | undefined =>
  classifyAddress(ipAddress) === 'public' ? ipAddress : undefined;
