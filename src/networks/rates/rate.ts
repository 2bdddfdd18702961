/** Units of a currency per US dollar, according to a source. */
export interface Rate {
  /** ISO 4217 for state currencies, else the ticker, in capitals. */
  code: string;
  name: string;
  symbol: string;
  type: 'fiat' | 'crypto';
  value: number;
  source: string;
  /** When the source determined it, in milliseconds since the Unix epoch. */
  asOf: number;
}

export interface RateSource {
  name: string;
  url: string;
  /** @throws Error if the text is not a valid answer of this source */
  parse(text: string, now: number): Rate[];
}
