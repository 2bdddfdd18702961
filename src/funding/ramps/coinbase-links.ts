import type { CoinbaseOnrampGetBuyUrlRequest } from './ramp.dto.js';

type Preset = Omit<CoinbaseOnrampGetBuyUrlRequest, 'assets' | 'destinationAddress' | 'networks'>;

/** Parameters besides the session. https://docs.cdp.coinbase.com/onramp/coinbase-hosted-onramp/generating-onramp-url */
const NAMES = [
  'defaultNetwork',
  'defaultAsset',
  'defaultExperience',
  'defaultPaymentMethod',
  'fiatCurrency',
  'handlingRequestedUrls',
  'partnerUserRef',
  'presetCryptoAmount',
  'presetFiatAmount',
  'redirectUrl',
] as const satisfies readonly (keyof Preset)[];

/** The URL for a purchase or a sale. The wallet is part of the session, not of the URL. */
export function coinbaseLink(page: string, sessionToken: string, preset: Preset): string {
  const url = new URL(page);
  url.searchParams.set('sessionToken', sessionToken);
  for (const name of NAMES) if (preset[name] !== undefined) url.searchParams.set(name, String(preset[name]));
  return url.href;
}
