import { Get } from '@nestjs/common';
import { Public } from '../../auth/index.js';
import { ApiController, Operation, Returns } from '../../common/http/operation.js';
import { CurrencyList } from './currency-list.service.js';
import { Currency } from './currency.dto.js';

const DESCRIBED = {
  description:
    'Each with its source and age. Sources are queried at most once a minute; rates older than ten minutes are marked as stale.',
  errors: [503],
} as const;

@ApiController('exchangeRates', 'Sdk')
export class RatesController {
  constructor(private readonly currencies: CurrencyList) {}

  @Get()
  @Operation({ id: 'getExchangeRates', summary: 'List currencies and their exchange rates', ...DESCRIBED })
  @Public()
  @Returns(Currency, { list: true })
  getExchangeRates() {
    return this.currencies.get();
  }
}

@ApiController('sdk/:environmentId/exchangeRates', 'Sdk')
export class ClientRatesController {
  constructor(private readonly currencies: CurrencyList) {}

  @Get()
  @Operation({
    id: 'getCurrencyExchangeRates',
    summary: 'List currencies and their exchange rates, for clients of an environment',
    ...DESCRIBED,
  })
  @Public()
  @Returns(Currency, { list: true })
  getCurrencyExchangeRates() {
    return this.currencies.get();
  }
}
