import { defineError } from '../../common/errors/index.js';

export const invalidExchangeProvider = defineError({
  code: 'invalid_exchange_provider',
  status: 422,
  message: 'The exchange cannot be used with this provider.',
  hint: 'See payload.fields: each entry names a field and what is wrong with it.',
  cause: 'Users link their exchange accounts, and buy there, only through providers of that exchange.',
  fix: 'Omit the providers, or use those of the exchange: `coinbasesocial` and `coinbaseOnramp`, or `kraken`.',
});

export const exchangeCannotBeEnabled = defineError({
  code: 'exchange_cannot_be_enabled',
  status: 422,
  message: 'The exchange cannot be enabled yet.',
  hint: 'See payload.fields: each names what is missing.',
  cause:
    'A provider that the exchange works with is not enabled, or does not request the scopes needed to read accounts or pay out.',
  fix: 'Enable the providers and add the scopes that `payload.fields` names, then enable the exchange again.',
});
