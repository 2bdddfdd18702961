import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';
import { OauthTokens } from '../../identity/index.js';
import { EnabledProviders } from '../../providers/index.js';
import { EXCHANGE_PROVIDERS } from '../exchanges/exchange-providers.js';
import type { ExchangeKey } from '../exchanges/exchange.dto.js';
import { ExchangesRepository } from '../exchanges/exchanges.repository.js';
import { CoinbaseExchange } from './coinbase-exchange.js';
import { exchangeNotAvailable, exchangeNotLinked } from './exchange-transfer.errors.js';
import type { ExchangeSession, ExchangeVendor } from './exchange-vendor.js';
import { KrakenExchange } from './kraken-exchange.js';

export interface OpenExchange {
  vendor: ExchangeVendor;
  session: ExchangeSession;
}

/** Users' accounts at exchanges enabled in their environment, accessed with the tokens of their sign-in there. */
@Injectable()
export class ExchangeSessions {
  private readonly vendors: Readonly<Record<ExchangeKey, ExchangeVendor>>;

  constructor(
    private readonly exchanges: ExchangesRepository,
    private readonly providers: EnabledProviders,
    private readonly tokens: OauthTokens,
    coinbase: CoinbaseExchange,
    kraken: KrakenExchange,
  ) {
    this.vendors = { coinbase, kraken };
  }

  /** @throws exchangeNotAvailable, exchangeNotLinked, and as `OauthTokens.use` */
  async open(environmentId: EnvironmentId, userId: string, exchange: ExchangeKey): Promise<OpenExchange> {
    if (!(await this.isOn(environmentId, exchange))) throw exchangeNotAvailable();
    const session = await this.find(environmentId, userId, exchange);
    if (!session) throw exchangeNotLinked();
    return { vendor: this.vendors[exchange], session };
  }

  /** The same for a payout in progress: the exchange may have been disabled since. */
  async reopen(environmentId: EnvironmentId, userId: string, exchange: ExchangeKey): Promise<OpenExchange | null> {
    const session = await this.find(environmentId, userId, exchange);
    return session && { vendor: this.vendors[exchange], session };
  }

  /** Checks its provider as well: disabling the provider stops new transfers here. */
  private async isOn(environmentId: EnvironmentId, exchange: ExchangeKey): Promise<boolean> {
    const isEnabled = await this.exchanges.findEnabled(environmentId, exchange);
    return !!isEnabled && (await this.providers.find(environmentId, EXCHANGE_PROVIDERS[exchange].social)) !== null;
  }

  private find(environmentId: EnvironmentId, userId: string, exchange: ExchangeKey): Promise<ExchangeSession | null> {
    return this.tokens.use(environmentId, userId, EXCHANGE_PROVIDERS[exchange].social);
  }
}
