import { foreignText } from '../foreign-text.js';
import type { Rate, RateSource } from './rate.js';

const FIAT: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
/** Metals, the IMF's SDR and similar have ISO 4217 codes but are not a state's currency. */
const NEITHER = /^X(?!AF|CD|OF|PF|CG)/;
const names = new Intl.DisplayNames('en', { type: 'currency' });
const CODE = /^[A-Z0-9]{2,15}$/;
/** Of one source. */
export const MOST_RATES = 2_000;

const symbolOf = (code: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? code;

/** No currency is worth so much or so little; beyond, the value of a balance could overflow. */
const [LEAST_RATE, MOST_RATE] = [1e-30, 1e30];
const isRate = (value: number): boolean => value >= LEAST_RATE && value <= MOST_RATE;

/** A number, or digits as text: what else becomes a number, such as `true` or `0x10`, says none. */
const numberIn = (value: unknown): number =>
  typeof value === 'number' || (typeof value === 'string' && /^\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value))
    ? Number(value)
    : NaN;

/** A rate, or none if the value is unusable. */
function rateOf(code: string, value: number, more: Pick<Rate, 'source' | 'asOf'> & { name?: string }): Rate[] {
  if (!CODE.test(code) || NEITHER.test(code) || !isRate(value)) return [];
  const isFiat = FIAT.has(code);
  const { name = isFiat ? (names.of(code) ?? code) : code, ...source } = more;
  return [{ code, name, symbol: isFiat ? symbolOf(code) : code, type: isFiat ? 'fiat' : 'crypto', value, ...source }];
}

function entriesOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('no rates');
  return Object.entries(value).slice(0, MOST_RATES);
}

const some = (rates: Rate[]): Rate[] => {
  if (rates.length === 0) throw new Error('no rates');
  return rates;
};

/** https://docs.cdp.coinbase.com/coinbase-app/track-apis/exchange-rates: units of each currency per US dollar. */
export const COINBASE: RateSource = {
  name: 'coinbase',
  url: 'https://api.coinbase.com/v2/exchange-rates?currency=USD',
  parse(text, now) {
    const { data } = JSON.parse(text) as { data?: { currency?: unknown; rates?: unknown } };
    if (data?.currency !== 'USD') throw new Error('another base');
    return some(
      entriesOf(data.rates).flatMap(([code, value]) =>
        rateOf(code, numberIn(value), { source: 'coinbase', asOf: now }),
      ),
    );
  },
};

/** https://docs.coingecko.com/reference/exchange-rates: units of each currency per bitcoin. */
export const COINGECKO: RateSource = {
  name: 'coingecko',
  url: 'https://api.coingecko.com/api/v3/exchange_rates',
  parse(text, now) {
    const entries = entriesOf((JSON.parse(text) as { rates?: unknown }).rates) as [
      string,
      { name?: unknown; value?: unknown } | null,
    ][];
    const dollars = numberIn(entries.find(([code]) => code === 'usd')?.[1]?.value);
    return some(
      entries.flatMap(([code, entry]) => {
        const name = typeof entry?.name === 'string' ? foreignText(entry.name, 100) : undefined;
        const more = { source: 'coingecko', asOf: now, ...(name && { name }) };
        return rateOf(code.toUpperCase(), numberIn(entry?.value) / dollars, more);
      }),
    );
  },
};

const DAY = /<Cube\s+time=['"](\d{4}-\d{2}-\d{2})['"]/;
const REFERENCE = /<Cube\s+currency=['"]([A-Z]{3})['"]\s+rate=['"](\d+(?:\.\d+)?)['"]/g;

/**
 * https://www.ecb.europa.eu/stats/policy_and_exchange_rates/euro_reference_exchange_rates: units of each currency per
 * euro, published about 16:00 CET on each working day.
 */
export const ECB: RateSource = {
  name: 'ecb',
  url: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
  parse(text, now) {
    // Future dates are capped at now: such a rate would never become stale.
    const asOf = Math.min(now, Date.parse(`${DAY.exec(text)?.[1]}T15:00:00Z`));
    const euros = [...text.matchAll(REFERENCE)].map(([, code, value]) => [code!, Number(value)] as const);
    const dollars = euros.find(([code]) => code === 'USD')?.[1];
    if (Number.isNaN(asOf) || !dollars) throw new Error('no reference rates');
    return [['EUR', 1] as const, ...euros].flatMap(([code, value]) =>
      rateOf(code, value / dollars, { source: 'ecb', asOf }),
    );
  },
};

/** In order of precedence. */
export const RATE_SOURCES: readonly RateSource[] = [COINBASE, COINGECKO, ECB];
