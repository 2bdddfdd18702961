import { defineError, type ErrorFactory } from '../../common/errors/index.js';
import type { PayoutRefusal } from './exchange-vendor.js';

export const exchangeNotAvailable = defineError({
  code: 'exchange_not_available',
  status: 422,
  message: 'This exchange is not available here.',
  hint: 'Enable the exchange in the settings of the environment.',
  cause: 'The environment has no enabled record of this exchange, or the provider that it works with is disabled.',
  fix: 'Create the exchange, enable the provider through which users link their accounts, then enable the exchange.',
});

export const exchangeNotLinked = defineError({
  code: 'exchange_not_linked',
  status: 404,
  message: 'The user has not linked an account at this exchange.',
  hint: 'Have the person sign in with the exchange, or link it.',
  cause: 'The user has no credential of the provider of the exchange with tokens.',
  fix: 'Link an account of the provider `coinbasesocial` or `kraken`, then ask again.',
});

const refused = (code: string, message: string, hint: string, cause: string): ErrorFactory =>
  defineError({ code, status: 422, message, hint, cause, fix: hint });

export const transferAmountTooSmall = refused(
  'transfer_amount_too_small',
  'The amount cannot be paid out.',
  'Send a larger amount.',
  'The amount is zero, or below what the exchange pays out.',
);
export const transferAddressNotWhitelisted = refused(
  'transfer_address_not_whitelisted',
  'The exchange does not pay out to this address.',
  'Have the person add the address at the exchange, or use one of the destinations.',
  'The exchange pays out only to addresses that the person has added there, and this is not one of them.',
);
export const transferMfaRequired = refused(
  'transfer_mfa_required',
  'The exchange asks the person for a code.',
  'Repeat the call with the same id and the code in mfaCode.',
  'The exchange requires its own second factor for payouts, and the call had no code.',
);
export const transferMfaFailed = refused(
  'transfer_mfa_failed',
  'The exchange did not accept the code.',
  'Repeat the call with the same id and another code.',
  'The code was wrong, too old for the exchange, or contains invalid characters.',
);
export const invalidTransferFunds = refused(
  'invalid_transfer_funds',
  'The account balance is too low.',
  'Send a smaller amount.',
  'The amount and the fee of the exchange are more than the account can pay out.',
);
export const invalidTransferCurrency = refused(
  'invalid_transfer_currency',
  'The account cannot pay out this currency.',
  'Use a currency of the account.',
  'The account does not hold the currency, or the address does not accept it.',
);
export const invalidTransferNetwork = refused(
  'invalid_transfer_network',
  'The exchange does not pay out over this network.',
  'Use a network on which the exchange can send the currency to the address.',
  'The exchange does not know the network or cannot reach the address over it, or the choice between several networks, or recipients that share the address and differ in their memo, is ambiguous.',
);
export const invalidExchangeScopes = refused(
  'exchange_scope_missing',
  'The linked account may not be used for this.',
  'Have the person link the account again and grant the requested permissions.',
  'The token of the account lacks a scope, or the person has revoked it.',
);
export const unknownTransferError = refused(
  'unknown_transfer_error',
  'The exchange refused the payout.',
  'Have the person check the account at the exchange.',
  'The exchange gave a reason that this service does not know, or accepted the payout and it failed there. Nothing was moved.',
);
export const transferOpen = refused(
  'transfer_open',
  'An identical payout is open: its outcome is not known yet.',
  'Check the open payout with its id, in payload.id, and make another one when it is settled.',
  'The outcome of a payout of the same amount from the same account to the same address is not known yet.',
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
