import { Injectable } from '@nestjs/common';
import { foreignText } from '../foreign-text.js';
import { VendorClient, type VendorQuestion } from '../sources/vendor-client.js';
import { VendorUnavailableError } from '../sources/vendor-unavailable.error.js';
import {
  nativeHolding,
  NATIVE_ADDRESSES,
  type Holding,
  type HoldingsQuestion,
  type HoldingsReader,
} from './holding.js';

const VENDOR = 'sui-node';
const MOST_COINS = 50;
/** The chain stores a byte, but a node may return anything. */
const MAX_DECIMALS = 255;
/** As for the nodes of other chains. */
const KEPT_MS = 60_000;

interface Coin {
  coinType: string;
  raw: bigint;
}

/** https://docs.sui.io/sui-api-ref: `suix_getAllBalances`, and the coins' own metadata. */
@Injectable()
export class SuiHoldings implements HoldingsReader {
  constructor(private readonly vendors: VendorClient) {}

  async read({ network, account, contracts, fresh }: HoldingsQuestion): Promise<Holding[]> {
    const { urls } = network;
    const until = this.vendors.deadline();
    const coins = await this.ask(urls, 'suix_getAllBalances', [account], coinsOf, { fresh, until });
    const own = coins.find(({ coinType }) => coinType === NATIVE_ADDRESSES.sui);
    const asked = new Set(contracts);
    const others = coins
      .filter((coin) => coin !== own)
      .sort((a, b) => Number(asked.has(b.coinType)) - Number(asked.has(a.coinType)))
      .slice(0, MOST_COINS);
    const tokens = await Promise.all(
      others.map(async ({ coinType, raw }): Promise<Holding[]> => {
        const facts = await this.ask(urls, 'suix_getCoinMetadata', [coinType], factsOf, { until });
        return facts ? [{ address: coinType, ...facts, logoURI: '', raw, isNative: false, isListed: false }] : [];
      }),
    );
    return [nativeHolding(network, own?.raw ?? 0n), ...tokens.flat()];
  }

  private ask<T>(
    urls: readonly string[],
    method: string,
    params: unknown[],
    read: (result: unknown) => T,
    when: Pick<VendorQuestion, 'fresh' | 'until'>,
  ): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const circuit = urls.join(' ');
    const question = {
      vendor: VENDOR,
      urls,
      method: 'POST' as const,
      headers,
      body,
      keptMs: KEPT_MS,
      circuit,
      ...when,
    };
    return this.vendors.json(question, (value) => {
      const { result, error } = (value ?? {}) as { result?: unknown; error?: unknown };
      if (error || result === undefined) throw new VendorUnavailableError(VENDOR, 'garbage');
      return read(result);
    });
  }
}

function coinsOf(result: unknown): Coin[] {
  if (!Array.isArray(result)) throw new VendorUnavailableError(VENDOR, 'garbage');
  return (result as { coinType?: unknown; totalBalance?: unknown }[]).map(({ coinType, totalBalance }) => {
    const isSound = typeof coinType === 'string' && typeof totalBalance === 'string' && /^\d{1,39}$/.test(totalBalance);
    if (!isSound) throw new VendorUnavailableError(VENDOR, 'garbage');
    return { coinType, raw: BigInt(totalBalance) };
  });
}

function factsOf(result: unknown): Pick<Holding, 'name' | 'symbol' | 'decimals'> | null {
  const { name, symbol, decimals } = (result ?? {}) as { name?: unknown; symbol?: unknown; decimals?: unknown };
  const isSound = Number.isInteger(decimals) && Number(decimals) >= 0 && Number(decimals) <= MAX_DECIMALS;
  if (typeof name !== 'string' || typeof symbol !== 'string' || !isSound) return null;
  return { name: foreignText(name, 100), symbol: foreignText(symbol, 40), decimals: Number(decimals) };
}
