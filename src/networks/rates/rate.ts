/** How much of a currency one US dollar is, as a source has said. */
export interface Rate {
  /** ISO 4217 for money of states, else the ticker, in capitals. */
  code: string;
  name: string;
  symbol: string;
  type: 'fiat' | 'crypto';
  value: number;
  source: string;
  /** Since when the source says so, in milliseconds since the Unix epoch. */
  asOf: number;
}

export interface RateSource {
  name: string;
  url: string;
  /** @throws Error when the text is no answer of this source */
  parse(text: string, now: number): Rate[];
}
