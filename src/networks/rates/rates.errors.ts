import { defineError } from '../../common/errors/index.js';

export const ratesUnavailable = defineError({
  code: 'rates_unavailable',
  status: 503,
  message: 'No source of exchange rates has answered yet.',
  hint: 'Try again after the seconds given in Retry-After. Operators: `npm run doctor` says which sources can be reached.',
  cause:
    'Rates come from the exchange rates of Coinbase and CoinGecko and from the daily reference rates of the European Central Bank. None of them has answered since the service started, and rates are never made up.',
  fix: 'Let the service reach one of them, or name another address with `PROVIDER_ADDRESSES` (`coinbase`, `coingecko`, `ecb`, each with `api`).',
});
