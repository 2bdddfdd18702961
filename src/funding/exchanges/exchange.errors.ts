import { defineError } from '../../common/errors/index.js';

export const invalidExchangeProvider = defineError({
  code: 'invalid_exchange_provider',
  status: 422,
  message: 'The exchange does not go with this provider.',
  hint: 'See payload.fields: each names what cannot be used and why.',
  cause: 'People link their accounts of an exchange, and buy there, by providers of that exchange and no others.',
  fix: 'Leave the providers out, or name those of the exchange: `coinbasesocial` and `coinbaseOnramp`, or `kraken`.',
});

export const exchangeCannotBeEnabled = defineError({
  code: 'exchange_cannot_be_enabled',
  status: 422,
  message: 'The exchange cannot be enabled yet.',
  hint: 'See payload.fields: each names what is missing.',
  cause:
    'A provider that the exchange works with is not enabled, or does not ask for the scopes without which accounts cannot be read or paid out from.',
  fix: 'Enable the providers and add the scopes that `payload.fields` names, then enable the exchange again.',
});
