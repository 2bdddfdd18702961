import type { Actor } from '../organizations/index.js';
import type { PlanType } from './plans.js';

/** What is known of an organization's billing, as its row says. */
export interface BillingAccount {
  plan: PlanType;
  trialStart: Date;
  trialEnd: Date;
  hasPaymentMethod: boolean;
  /** A payment has failed and is still owed. */
  paymentOverdue: boolean;
  /** Its id at the payment provider; null where it has none. */
  customerId: string | null;
  /** Counts attempts to upgrade that came to an end, so that the next one is told apart from a repetition. */
  upgradeAttempt: number;
  /** Who asked for the upgrade that is under way. */
  upgradeBy: Actor | null;
  /** Users who signed in or refreshed their session in the current period. */
  activeUsers: number;
  /** Codes of redeemed coupons, oldest first. */
  coupons: string[];
}

/** Where an owner settles payments at the provider. */
export interface BillingLinks {
  portal: string;
  addPaymentMethod: string;
}

/** A billing period is a month in UTC, whoever collects the payment. */
export function billingPeriod(now: Date): { startDate: Date; endDate: Date } {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return { startDate: new Date(Date.UTC(year, month, 1)), endDate: new Date(Date.UTC(year, month + 1, 1)) };
}

/** Only whoever pays nothing yet is in a trial. */
export const isInTrial = ({ plan, trialEnd }: BillingAccount, now: Date): boolean => plan === 'free' && now < trialEnd;
