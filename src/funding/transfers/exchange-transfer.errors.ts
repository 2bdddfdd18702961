import { defineError, type ErrorFactory } from '../../common/errors/index.js';
import type { PayoutRefusal } from './exchange-vendor.js';

export const exchangeNotAvailable = defineError({
  code: 'exchange_not_available',
  status: 422,
  message: 'This exchange is not available here.',
  hint: 'Enable the exchange in the settings of the environment.',
  cause: 'The environment has no record of this exchange that is enabled, or the provider that it works with is off.',
  fix: 'Create the exchange, enable the provider by which people link their accounts, then enable the exchange.',
});

export const exchangeNotLinked = defineError({
  code: 'exchange_not_linked',
  status: 404,
  message: 'The person has linked no account of this exchange.',
  hint: 'Have the person sign in with the exchange, or link it.',
  cause: 'The user has no credential of the provider of the exchange with tokens.',
  fix: 'Link an account of the provider `coinbasesocial` or `kraken`, then ask again.',
});

const refused = (code: string, message: string, hint: string, cause: string): ErrorFactory =>
  defineError({ code, status: 422, message, hint, cause, fix: hint });

export const transferAmountTooSmall = refused(
  'transfer_amount_too_small',
  'The amount cannot be paid out.',
  'Send a greater amount.',
  'The amount is zero, or below what the exchange pays out.',
);
export const transferAddressNotWhitelisted = refused(
  'transfer_address_not_whitelisted',
  'The exchange does not pay out to this address.',
  'Have the person add the address at the exchange, or use one of the destinations.',
  'The exchange pays out to addresses that the person has named there, and this is none of them.',
);
export const transferMfaRequired = refused(
  'transfer_mfa_required',
  'The exchange asks the person for a code.',
  'Repeat the call with the same id and the code in mfaCode.',
  'The exchange has a second factor of its own for payouts, and the call had no code.',
);
export const transferMfaFailed = refused(
  'transfer_mfa_failed',
  'The exchange did not accept the code.',
  'Repeat the call with the same id and another code.',
  'The code was wrong, older than the exchange accepts, or of characters that no code has.',
);
export const invalidTransferFunds = refused(
  'invalid_transfer_funds',
  'The account does not hold enough.',
  'Send a smaller amount.',
  'The amount and the fee of the exchange are more than the account can pay out.',
);
export const invalidTransferCurrency = refused(
  'invalid_transfer_currency',
  'The account cannot pay out this currency.',
  'Use a currency of the account.',
  'The account does not hold the currency, or the address does not take it.',
);
export const invalidTransferNetwork = refused(
  'invalid_transfer_network',
  'The exchange does not pay out over this network.',
  'Name a network that the exchange moves the currency on, and that it reaches the address over.',
  'The network is unknown to the exchange or does not lead to the address, or it is not clear which of several ways there is meant.',
);
export const invalidExchangeScopes = refused(
  'exchange_scope_missing',
  'The linked account may not be used for this.',
  'Have the person link the account again and allow what is asked for.',
  'The token of the account lacks a scope, or the person has taken it back.',
);
export const unknownTransferError = refused(
  'unknown_transfer_error',
  'The exchange refused the payout.',
  'Have the person look at the account at the exchange.',
  'The exchange gave a reason that this service has no name for, or took the payout and it failed there. Nothing was moved.',
);
export const transferOpen = refused(
  'transfer_open',
  'An equal payout is open: whether the exchange has it is being found out.',
  'Ask for the open one with its id, in payload.id, and make another one when it is settled.',
  'The same amount was to go from the same account to the same address, and its outcome is not known yet.',
);
export const transferIdUsed = refused(
  'transfer_id_used',
  'This id belongs to another payout.',
  'Use a new id for a new payout. A repetition names the same account, address, amount and currency.',
  'The id was used for a payout that differs from this one.',
);

export const PAYOUT_ERRORS: Readonly<Record<PayoutRefusal, ErrorFactory>> = {
  mfa_required: transferMfaRequired,
  mfa_failed: transferMfaFailed,
  amount: transferAmountTooSmall,
  address: transferAddressNotWhitelisted,
  currency: invalidTransferCurrency,
  funds: invalidTransferFunds,
  network: invalidTransferNetwork,
  scopes: invalidExchangeScopes,
  other: unknownTransferError,
};
