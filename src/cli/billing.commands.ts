import type { INestApplicationContext } from '@nestjs/common';
import { BillingProvider, couponCode, isCouponCode } from '../billing/index.js';
import { Clock } from '../common/clock.js';
import { ApiError } from '../common/errors/index.js';
import { parseOptions, required, UsageError } from './arguments.js';
import { say } from './terminal.js';

const OPTIONS = ['code', 'trial-days', 'percent-off', 'max-redemptions', 'expires'] as const;

/** A coupon extends trials, discounts payments, or both. */
export async function billingCouponCreate(app: INestApplicationContext, words: string[]): Promise<void> {
  const options = parseOptions(words, OPTIONS);
  const code = couponCode(required(options.code, 'code'));
  if (!isCouponCode(code))
    throw new UsageError('--code must be 3 to 64 letters, digits, _ or -, starting with a letter or digit.');
  const coupon = {
    code,
    trialDays: wholeNumber(options['trial-days'], 'trial-days', 365),
    percentOff: wholeNumber(options['percent-off'], 'percent-off', 100),
    maxRedemptions: wholeNumber(options['max-redemptions'], 'max-redemptions', 1_000_000),
    expiresAt: instantAhead(options.expires, app.get(Clock).now()),
  };
  const billing = app.get(BillingProvider);
  if (coupon.trialDays === null && coupon.percentOff === null) {
    throw new UsageError('A coupon needs --trial-days or --percent-off.');
  }
  if (coupon.percentOff !== null && !billing.takesPayments) {
    throw new UsageError('--percent-off needs a payment provider: set STRIPE_SECRET_KEY.');
  }
  await billing.createCoupon(coupon).catch((error: unknown) => {
    throw error instanceof ApiError ? new UsageError(error.message) : error;
  });
  say(`coupon  ${code}`);
}

function wholeNumber(text: string | undefined, name: string, most: number): number | null {
  if (text === undefined) return null;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) throw new UsageError(`--${name} must be a whole number from 1 to ${most}.`);
  return value;
}

function instantAhead(text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null;
  const instant = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/.test(text) ? new Date(text) : null;
  // 30 February would be read as a day in March.
  const day = instant && new Date(text.slice(0, 10));
  if (!day || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text.slice(0, 10)) || !(instant > now)) {
    throw new UsageError('--expires must be a time in the future, such as 2030-01-31 or 2030-01-31T18:00:00Z.');
  }
  return instant;
}
