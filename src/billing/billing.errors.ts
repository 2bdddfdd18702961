import { defineError } from '../common/errors/index.js';
import { SecurityEvent } from '../common/security/index.js';

export const couponUnknown = defineError({
  code: 'coupon_unknown',
  status: 422,
  message: 'There is no such coupon.',
  hint: 'Check the code for typing errors.',
  cause: 'No coupon has this code.',
  fix: 'Ask whoever gave you the coupon. Operators make coupons with `npm run cli -- billing coupon create`.',
});

export const couponExpired = defineError({
  code: 'coupon_expired',
  status: 422,
  message: 'The coupon has expired.',
  hint: 'Ask for a new coupon.',
  cause: 'The time limit for redeeming the coupon has passed.',
  fix: 'Ask whoever gave you the coupon for another one.',
});

export const couponExhausted = defineError({
  code: 'coupon_exhausted',
  status: 422,
  message: 'The coupon has been redeemed as often as it may be.',
  hint: 'Ask for a new coupon.',
  cause: 'The coupon is limited to a number of organizations, and that many have redeemed it.',
  fix: 'Ask whoever gave you the coupon for another one.',
});

export const tooManyCoupons = defineError({
  code: 'too_many_coupons',
  status: 422,
  message: 'The organization has reached the limit of coupons.',
  hint: 'Coupons that were redeemed stay in force.',
  cause: 'An organization may redeem 20 coupons.',
  fix: 'Ask the operator to change the plan of the organization instead.',
});

export const planNotUpgradable = defineError({
  code: 'plan_not_upgradable',
  status: 422,
  message: 'The organization’s plan already includes the advanced plan.',
  hint: 'No action is needed.',
  cause: 'The organization is on the enterprise plan, which an upgrade to the advanced plan would lower.',
  fix: 'Ask the operator if the plan is to be changed.',
});

export const paymentMethodRequired = defineError({
  code: 'payment_method_required',
  status: 422,
  message: 'The plan has to be paid, and there is no payment method.',
  hint: 'Open billingPortalAddPaymentMethodUrl of the subscription, add a payment method, and upgrade again.',
  cause: 'The payment provider knows no payment method of the organization.',
  fix: 'Read the subscription, open `billingPortalAddPaymentMethodUrl` in a browser and add a payment method.',
});

export const paymentDeclined = defineError({
  code: 'payment_declined',
  status: 422,
  message: 'The payment was declined.',
  hint: 'Add another payment method, then upgrade again.',
  cause: 'The bank or the card refused the payment. The plan has not changed.',
  fix: 'Read the subscription, open `billingPortalUrl` in a browser and choose another payment method.',
});

export const billingUnavailable = defineError({
  code: 'billing_unavailable',
  status: 503,
  message: 'The payment provider is not available.',
  hint: 'Try again in a while; nothing is charged twice.',
  cause: 'The payment provider cannot be reached, or the service is not set up correctly there.',
  fix: 'Try again. Operators: the log names what the provider answered; see the settings that begin with `STRIPE_`.',
});

export const billingSignatureRefused = defineError({
  code: 'billing_signature_refused',
  status: 400,
  security: SecurityEvent.ProofRefused,
  message: 'The message is not signed by the payment provider.',
  hint: 'Compare STRIPE_WEBHOOK_SECRET with the signing secret of the endpoint at the provider.',
  cause:
    'The signature is missing, was made with another secret, is older than five minutes, or does not match the body.',
  fix: 'Operators: set `STRIPE_WEBHOOK_SECRET` to the signing secret of this endpoint, and keep the clock accurate.',
});
