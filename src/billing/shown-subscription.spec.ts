import { describe, expect, it } from '@jest/globals';
import { billingPeriod, type BillingAccount } from './billing-account.js';
import { couponCode, isCouponCode } from './coupons/coupon.js';
import { PLAN_SCOPES, PLAN_TYPES } from './plans.js';
import { shownSubscription, publishedSubscription } from './shown-subscription.js';

const END = new Date('2026-03-15T00:00:00Z');
const account = (set: Partial<BillingAccount> = {}): BillingAccount => ({
  plan: 'free',
  trialStart: new Date('2026-03-01T00:00:00Z'),
  trialEnd: END,
  hasPaymentMethod: false,
  paymentOverdue: false,
  customerId: null,
  upgradeAttempt: 0,
  upgradeBy: null,
  activeUsers: 3,
  coupons: ['A'],
  ...set,
});
const around = (offsetMs: number): Date => new Date(END.getTime() + offsetMs);

describe('a subscription', () => {
  it('is in trial to the last instant before the end', () => {
    expect(shownSubscription(account(), around(-1))).toMatchObject({ inTrial: true, trialDaysLeft: 1 });
    expect(shownSubscription(account(), around(0))).toMatchObject({ inTrial: false, trialDaysLeft: 0 });
    expect(shownSubscription(account(), around(1)).scope).toEqual(PLAN_SCOPES.free);
  });

  it('has days left that have begun', () => {
    const days = (ms: number) => shownSubscription(account(), around(-ms)).trialDaysLeft;
    expect([days(86_399_999), days(86_400_000), days(86_400_001)]).toEqual([1, 1, 2]);
  });

  it('that is paid is in no trial', () => {
    expect(shownSubscription(account({ plan: 'standard' }), around(-1))).toMatchObject({
      inTrial: false,
      scope: PLAN_SCOPES.standard,
    });
  });

  it('shows links where there are some, and never tells them', () => {
    const links = { portal: 'https://p', addPaymentMethod: 'https://a' };
    expect(shownSubscription(account(), END, links)).toMatchObject({
      billingPortalUrl: 'https://p',
      billingPortalAddPaymentMethodUrl: 'https://a',
    });
    expect(shownSubscription(account(), END)).not.toHaveProperty('billingPortalUrl');
    expect(JSON.stringify(publishedSubscription(account(), END))).not.toContain('https');
  });
});

describe('a billing period', () => {
  it.each([
    ['2026-01-01T00:00:00.000Z', '2026-01-01', '2026-02-01'],
    ['2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01'],
    ['2028-02-29T12:00:00.000Z', '2028-02-01', '2028-03-01'],
  ])('around %s is the month from %s to %s', (now, start, end) => {
    expect(billingPeriod(new Date(now))).toEqual({ startDate: new Date(start), endDate: new Date(end) });
  });
});

describe('a plan', () => {
  it('covers something once, and all that a smaller one covers', () => {
    for (const plan of PLAN_TYPES.values) expect(new Set(PLAN_SCOPES[plan]).size).toBe(PLAN_SCOPES[plan].length);
    const covers = (plan: keyof typeof PLAN_SCOPES, other: keyof typeof PLAN_SCOPES) =>
      PLAN_SCOPES[other].every((scope) => PLAN_SCOPES[plan].includes(scope));
    expect([covers('standard', 'free'), covers('advanced', 'standard'), covers('enterprise', 'advanced')]).toEqual([
      ...[true, true, true],
    ]);
    expect([PLAN_SCOPES.free.length, PLAN_SCOPES.advanced.length]).toEqual([11, 24]);
  });
});

describe('the code of a coupon', () => {
  it('is what it is in upper case', () => {
    expect(couponCode(' Spring-26\n')).toBe('SPRING-26');
  });

  it.each([
    ['AB', false],
    ['ABC', true],
    ['A'.repeat(64), true],
    ['A'.repeat(65), false],
    ['-AB', false],
    ['A_B-1', true],
    ['A B', false],
    ['abc', false],
  ])('%s may be made: %s', (code, isGood) => {
    expect(isCouponCode(code)).toBe(isGood);
  });
});
