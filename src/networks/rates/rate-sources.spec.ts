import { describe, expect, it } from '@jest/globals';
import type { Clock } from '../../common/clock.js';
import type { Config } from '../../config/index.js';
import type { VendorClient, VendorQuestion } from '../sources/vendor-client.js';
import { VendorUnavailableError } from '../sources/vendor-unavailable.error.js';
import { PublishedRates } from './published-rates.js';
import { COINBASE, COINGECKO, ECB } from './rate-sources.js';

const NOW = Date.parse('2026-11-23T05:00:00Z');
const ofCoinbase = (rates: object): [string, number][] =>
  COINBASE.parse(JSON.stringify({ data: { currency: 'USD', rates } }), NOW).map(({ code, value }) => [code, value]);

describe('a source of rates', () => {
  it('is believed where a number says something, and nowhere else', () => {
    const odd = {
      EUR: '0.8',
      USDC: true,
      JPY: '0x10',
      GBP: ['2'],
      ETH: '0',
      BTC: '-1',
      SOL: 'NaN',
      DOGE: null,
      PEPE: '1e400',
      SHIB: '5e-324',
      // Beyond what any currency is worth: the value of a balance could be no number any more.
      UNI: '6e-308',
      LINK: '6e307',
    };
    expect(ofCoinbase(odd)).toEqual([['EUR', 0.8]]);
    expect(ofCoinbase({ ...odd, 'evil code': '1', eur: '2', XAU: '3' })).toEqual([['EUR', 0.8]]);
  });

  it('cannot name what objects inherit', () => {
    const text = '{"data":{"currency":"USD","rates":{"__proto__":{"EUR":"9"},"constructor":"1","EUR":"0.8"}}}';
    expect(COINBASE.parse(text, NOW).map(({ code }) => code)).toEqual(['EUR']);
    expect(({} as Record<string, unknown>)['EUR']).toBeUndefined();
  });

  it('with another base, without a dollar or without rates is not one', () => {
    expect(() => COINBASE.parse('{"data":{"currency":"EUR","rates":{"USD":"1"}}}', NOW)).toThrow();
    expect(() => COINGECKO.parse('{"rates":{"eth":{"name":"Ether","value":50}}}', NOW)).toThrow();
    expect(() => COINGECKO.parse('{"rates":[]}', NOW)).toThrow();
    expect(() => ECB.parse("<Cube time='2026-11-20'><Cube currency='SEK' rate='12.5'/></Cube>", NOW)).toThrow();
    for (const source of [COINBASE, COINGECKO]) expect(() => source.parse('null', NOW)).toThrow();
  });

  it('that dates its rates in the future has said them now, so that they grow old', () => {
    const xml = (day: string) =>
      `<Cube time='${day}'><Cube currency='USD' rate='1.25'/><Cube currency='SEK' rate='12.5'/></Cube>`;
    expect(ECB.parse(xml('2099-01-01'), NOW).map(({ asOf }) => asOf)).toEqual([NOW, NOW, NOW]);
    expect(new Set(ECB.parse(xml('2026-11-20'), NOW).map(({ asOf }) => asOf))).toEqual(
      new Set([Date.parse('2026-11-20T15:00:00Z')]),
    );
  });
});

describe('rates that are known', () => {
  it('stay as many as there can be, though a source names others every minute', async () => {
    let now = NOW;
    const clock = { timestamp: () => now } as Clock;
    const answer = (): string => {
      const codes = Array.from({ length: 2_000 }, (_, at) => [`C${now}N${at}`.slice(-15), '2'] as const);
      return JSON.stringify({ data: { currency: 'USD', rates: { EUR: '0.8', ...Object.fromEntries(codes) } } });
    };
    const text = async <T>({ vendor }: VendorQuestion, read: (text: string) => T): Promise<T> => {
      if (vendor !== 'coinbase') throw new VendorUnavailableError(vendor, 'timeout');
      return read(answer());
    };
    const config = { get: () => ({}) } as unknown as Config;
    const rates = new PublishedRates({ text } as VendorClient, config, clock);
    for (let minute = 0; minute < 6; minute += 1, now += 60_000) await rates.list();
    const known = await rates.list();
    expect(known.length).toBeLessThanOrEqual(6_000);
    expect(known.find(({ code }) => code === 'EUR')).toMatchObject({ value: 0.8, isStale: false });
  });
});
