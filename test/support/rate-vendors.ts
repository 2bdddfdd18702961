import type { VendorReply } from './vendor-server.js';

/** Shortened responses of the rate sources' documented APIs. */
export const RATE_ANSWERS = {
  coinbase: (): VendorReply => ({
    json: {
      data: { currency: 'USD', rates: { EUR: '0.80', ETH: '0.0005', BTC: '0.00001', USDC: '1.0', XAU: '0.0003' } },
    },
  }),
  coingecko: (): VendorReply => ({
    json: {
      rates: {
        btc: { name: 'Bitcoin', unit: 'BTC', value: 1, type: 'crypto' },
        eth: { name: 'Ether', unit: 'ETH', value: 50, type: 'crypto' },
        usd: { name: 'US Dollar', unit: '$', value: 100_000, type: 'fiat' },
        chf: { name: 'Swiss Franc', unit: 'Fr.', value: 90_000, type: 'fiat' },
      },
    },
  }),
  ecb: (): VendorReply => ({
    text: `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope><Cube><Cube time='2026-11-20'>
      <Cube currency='USD' rate='1.25'/><Cube currency='SEK' rate='12.5'/></Cube></Cube></gesmes:Envelope>`,
  }),
};

/** For `PROVIDER_ADDRESSES`. */
export const rateAddresses = (origin: string) => ({
  coinbase: { api: `${origin}/coinbase` },
  coingecko: { api: `${origin}/coingecko` },
  ecb: { api: `${origin}/ecb` },
});
