import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { VendorClient, VendorUnavailableError } from '../../networks/index.js';
import { ProviderAddresses, type EnabledProvider } from '../../providers/index.js';
import { plainDecimal } from '../transfers/plain-decimal.js';
import { listOf, recordOf, textOf } from '../vendor-refusal.js';
import { banxaToken } from './banxa-signature.js';

const VENDOR = 'banxa';
const COINS_KEPT_MS = 600_000;
/** The vendor's network codes. */
const BLOCKCHAINS: Readonly<Record<string, string>> = {
  ethereum: 'ETH',
  polygon: 'MATIC',
  arbitrum: 'ARB',
  optimism: 'OPTIMISM',
  base: 'BASE',
  bnb: 'BSC',
  'avalanche-c-chain': 'AVAX-C',
  solana: 'SOL',
  bitcoin: 'BTC',
  sui: 'SUI',
};

export interface Trade {
  side: 'buy' | 'sell';
  coin: string;
  network: string;
  walletAddress: string;
  fiat?: string;
  coinAmount?: number;
}

type Coins = ReadonlyMap<string, ReadonlySet<string>>;

/** Banxa: coins are listed with the environment's API key; users are sent to the partner's host. */
@Injectable()
export class Banxa {
  constructor(
    private readonly vendors: VendorClient,
    private readonly addresses: ProviderAddresses,
    private readonly clock: Clock,
  ) {}

  /** Null for a coin or network it does not trade. @throws VendorUnavailableError */
  async link(record: EnabledProvider, trade: Trade): Promise<string | null> {
    const blockchain = BLOCKCHAINS[trade.network];
    const coin = trade.coin.toUpperCase();
    if (!blockchain || !(await this.coins(record, trade.side)).get(coin)?.has(blockchain)) return null;
    // https://docs.banxa.com/docs/referral-method
    const url = new URL(this.startPage(record));
    const parameters = {
      orderType: trade.side,
      coinType: coin,
      blockchain,
      walletAddress: trade.walletAddress,
      fiatType: trade.fiat?.toUpperCase(),
      coinAmount: trade.coinAmount === undefined ? undefined : plainDecimal(trade.coinAmount),
      returnUrl: record.configuration.returnUrl,
    };
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value);
    return url.href;
  }

  startPage(record: EnabledProvider): string {
    return `${this.addresses.of(VENDOR).authorize ?? `https://${record.configuration.domain}`}/`;
  }

  /** Cached for at most ten minutes. */
  private async coins(record: EnabledProvider, side: Trade['side']): Promise<Coins> {
    const { clientId = '', domain } = record.configuration;
    const url = `${this.addresses.of(VENDOR).api ?? `https://${domain}/api`}/coins/${side}`;
    const path = URL.parse(url)?.pathname;
    // The host was saved before its format was validated.
    if (path === undefined) throw new VendorUnavailableError(VENDOR, 'unreachable', { wasSent: false });
    return record.withSecret((secret) => {
      const token = banxaToken(clientId, secret, { method: 'GET', path }, this.clock.timestamp());
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
      return this.vendors.json(
        { vendor: VENDOR, urls: [url], headers, key: record.id, keptMs: COINS_KEPT_MS },
        coinsOf,
      );
    });
  }
}

function coinsOf(value: unknown): Coins {
  const coins = listOf(recordOf(recordOf(value)['data'])['coins']);
  if (coins.length === 0) throw new VendorUnavailableError(VENDOR, 'garbage');
  return new Map(
    coins.map(({ coin_code: code, blockchains }) => [
      String(code).toUpperCase(),
      new Set(listOf(blockchains).flatMap(({ code: name }) => textOf(name) ?? [])),
    ]),
  );
}
