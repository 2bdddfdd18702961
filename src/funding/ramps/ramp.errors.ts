import { defineError } from '../../common/errors/index.js';

export const onrampNotFound = defineError({
  code: 'onramp_not_enabled',
  status: 404,
  message: 'This onramp is not available here.',
  hint: 'Enable the provider of the onramp in the settings of the environment.',
  cause: 'The environment has no enabled provider of this onramp.',
  fix: 'Set up and enable the provider `coinbaseOnramp` or `cryptoDotCom`.',
});

export const onrampNotAvailable = defineError({
  code: 'onramp_not_available',
  status: 422,
  message: 'This onramp is not available here.',
  hint: 'Enable the provider `coinbaseOnramp` in the settings of the environment.',
  cause: 'The environment has no enabled provider of this onramp.',
  fix: 'Set up and enable the provider `coinbaseOnramp`.',
});

export const onrampRefused = defineError({
  code: 'onramp_refused',
  status: 422,
  message: 'The onramp does not sell this.',
  hint: 'payload.reason is the name that the vendor has for the reason.',
  cause: 'The vendor refused the order, payment or address with an answer of its own, such as a limit for guests.',
  fix: 'Look the reason up in the documentation of the vendor, and change the request or the account there.',
});

export const invalidOrderAmount = defineError({
  code: 'invalid_order_amount',
  status: 400,
  message: 'The amount of the order is not stated once.',
  hint: 'Send paymentAmount or purchaseAmount, not both. Amounts in the smallest unit are whole and above zero.',
  cause: 'Both amounts, neither of them, or an amount that is zero or no whole number of the smallest unit was sent.',
  fix: 'State what is to be paid or what is to be bought.',
});

export const invalidRedirectUrl = defineError({
  code: 'invalid_redirect_url',
  status: 400,
  message: 'People cannot be sent back to this address.',
  hint: 'Send an https address.',
  cause: 'The address is no URL or one of another scheme.',
  fix: 'Send the address of a page of the application, with https.',
});

export const onrampEmailNeeded = defineError({
  code: 'email_verification_required',
  status: 422,
  message: 'The vendor sells to people with a verified email address.',
  hint: 'Have the person verify an email address first.',
  cause: 'Guest checkout needs an email address of the person, and the user has none that was verified.',
  fix: 'Have the person link an email address, then order again.',
});

export const onrampPhoneNeeded = defineError({
  code: 'phone_verification_required',
  status: 422,
  message: 'The vendor sells to people whose phone number was verified within the last 60 days.',
  hint: 'Have the person verify a phone number first.',
  cause: 'Guest checkout needs a phone number that was verified within 60 days, and the user has none.',
  fix: 'Have the person verify the phone number again, then order again.',
});

export const orderOutcomeUnknown = defineError({
  code: 'order_outcome_unknown',
  status: 409,
  message: 'A call with this Idempotency-Key was sent to the vendor, and its answer is not known.',
  hint: 'Repeat the call in a moment; if it stays so, use a new key. Nobody pays for an order that they do not see.',
  cause: 'The first call with the key is under way, or the connection to the vendor was lost before its answer.',
  fix: 'Repeat the call with the same key, or make a new order with a new key.',
});
