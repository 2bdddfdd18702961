import type { Actor } from '../organizations/index.js';
import type { PlanType } from './plans.js';

/** An organization's billing, from its row. */
export interface BillingAccount {
  plan: PlanType;
  trialStart: Date;
  trialEnd: Date;
  hasPaymentMethod: boolean;
  /** A payment has failed and is still owed. */
  paymentOverdue: boolean;
  /** The customer id at the payment provider; null if there is none. */
  customerId: string | null;
  /** Number of finished upgrade attempts, which tells a new attempt from a repetition. */
  upgradeAttempt: number;
  /** Who asked for the upgrade in progress. */
  upgradeBy: Actor | null;
  /** Users who signed in or refreshed their session in the current period. */
  activeUsers: number;
  /** Codes of redeemed coupons, oldest first. */
  coupons: string[];
}

/** Links to the provider's pages where an owner manages payments. */
export interface BillingLinks {
  portal: string;
  addPaymentMethod: string;
}

/** A billing period is a calendar month in UTC, whichever provider collects payments. */
export function billingPeriod(now: Date): { startDate: Date; endDate: Date } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { startDate: new Date(Date.UTC(year, month, 1)), endDate: new Date(Date.UTC(year, month + 1, 1)) };
}

/** Only organizations that do not pay yet are in a trial. */
export const isInTrial = ({ plan, trialEnd }: BillingAccount, now: Date): boolean => plan === 'free' && now < trialEnd;
