import { billingPeriod, isInTrial, type BillingAccount, type BillingLinks } from './billing-account.js';
import { PLAN_SCOPES, PLANS_VERSION } from './plans.js';
import type { OrganizationSubscription, SubscriptionPayload } from './subscription.dto.js';

const DAY_MS = 86_400_000;

/** A subscription as the API shows it. */
export function shownSubscription(
  account: BillingAccount,
  now: Date,
  links: Partial<BillingLinks> = {},
): OrganizationSubscription {
  const { trialStart, trialEnd, activeUsers } = account;
  const inTrial = isInTrial(account, now);
  return {
    ...(links.portal !== undefined && { billingPortalUrl: links.portal }),
    ...(links.addPaymentMethod !== undefined && { billingPortalAddPaymentMethodUrl: links.addPaymentMethod }),
    ...publishedSubscription(account, now),
    scope: [...PLAN_SCOPES[inTrial ? 'advanced' : account.plan]],
    trialStart,
    trialDaysLeft: inTrial ? Math.ceil((trialEnd.getTime() - now.getTime()) / DAY_MS) : 0,
    currentBillingPeriod: { ...billingPeriod(now), usagesCount: activeUsers },
    version: PLANS_VERSION,
  };
}

/** A subscription as shown in the audit trail and events. */
export const publishedSubscription = (account: BillingAccount, now: Date): SubscriptionPayload => ({
  planType: account.plan,
  inTrial: isInTrial(account, now),
  trialEnd: account.trialEnd,
  hasPaymentMethod: account.hasPaymentMethod,
  shouldLockEnvironmentSwitch: account.paymentOverdue,
  coupons: account.coupons.map((coupon) => ({ coupon })),
});
