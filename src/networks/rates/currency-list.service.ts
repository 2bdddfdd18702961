import { Injectable } from '@nestjs/common';
import { VENDOR_RETRY_SECONDS } from '../../common/errors/index.js';
import type { Currency } from './currency.dto.js';
import { ratesUnavailable } from './rates.errors.js';
import { Rates } from './rates.js';

/** Exchange rates for applications. */
@Injectable()
export class CurrencyList {
  constructor(private readonly rates: Rates) {}

  async get(): Promise<Currency[]> {
    const rates = await this.rates.list();
    if (rates.length === 0) throw ratesUnavailable({ retryAfterSeconds: VENDOR_RETRY_SECONDS });
    return rates.map(({ asOf, ...rate }) => ({ ...rate, asOf: new Date(asOf) }));
  }
}
