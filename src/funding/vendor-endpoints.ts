import type { Config } from '../config/index.js';
import type { VendorEndpoint } from '../networks/index.js';

/** Ramp and exchange vendors by provider name and by name in metrics, at the addresses in their documentation. */
const USUAL = [
  ['coinbaseOnramp', 'coinbaseOnramp', 'https://api.developer.coinbase.com'],
  ['cryptoDotCom', 'cryptoDotCom', 'https://pay.crypto.com'],
  ['coinbasesocial', 'coinbase-accounts', 'https://api.coinbase.com'],
  ['coinbaseCurrencies', 'coinbase-currencies', 'https://api.exchange.coinbase.com'],
  ['kraken', 'kraken', 'https://api.kraken.com'],
] as const;

/** For deployment checks. */
export function fundingEndpoints(config: Config): VendorEndpoint[] {
  const own = config.get('PROVIDER_ADDRESSES');
  const banxa = own['banxa']?.api ?? null;
  return [
    ...USUAL.map(([provider, vendor, url]) => ({
      vendor,
      url: own[provider]?.api ?? url,
      isChosen: !!own[provider]?.api,
    })),
    { vendor: 'banxa', url: banxa, isChosen: banxa !== null, elsewhere: 'at a host of each partner' },
  ];
}
