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
  hint: 'payload.reason is the vendor’s name for the reason.',
  cause: 'The vendor refused the order, payment or address for its own reasons, such as a limit for guests.',
  fix: 'Look up the reason in the vendor’s documentation, and change the request or the vendor account.',
});

export const invalidOrderAmount = defineError({
  code: 'invalid_order_amount',
  status: 400,
  message: 'The order must have exactly one amount.',
  hint: 'Send paymentAmount or purchaseAmount, not both. Amounts in the smallest unit are whole and above zero.',
  cause: 'Both amounts or neither were sent, or an amount is zero or not a whole number of the smallest unit.',
  fix: 'Send either what is to be paid or what is to be bought.',
});

export const invalidRedirectUrl = defineError({
  code: 'invalid_redirect_url',
  status: 400,
  message: 'This return address is not valid.',
  hint: 'Send an https address.',
  cause: 'The address is not a URL, or has another scheme.',
  fix: 'Send the address of a page of the application, with https.',
});

export const onrampEmailNeeded = defineError({
  code: 'email_verification_required',
  status: 422,
  message: 'The vendor sells only to people with a verified email address.',
  hint: 'Have the person verify an email address first.',
  cause: 'Guest checkout needs a verified email address, and the user has none.',
  fix: 'Have the person link an email address, then order again.',
});

export const onrampPhoneNeeded = defineError({
  code: 'phone_verification_required',
  status: 422,
  message: 'The vendor sells only to people whose phone number was verified within the last 60 days.',
  hint: 'Have the person verify a phone number first.',
  cause: 'Guest checkout needs a phone number that was verified within 60 days, and the user has none.',
  fix: 'Have the person verify the phone number again, then order again.',
});

export const orderOutcomeUnknown = defineError({
  code: 'order_outcome_unknown',
  status: 409,
  message: 'A call with this Idempotency-Key was sent to the vendor, and its answer is not known.',
  hint: 'Repeat the call in a moment; if the error persists, use a new key. An order that the person never sees costs nothing.',
  cause: 'The first call with the key is in progress, or the connection to the vendor was lost before its answer.',
  fix: 'Repeat the call with the same key, or make a new order with a new key.',
});
