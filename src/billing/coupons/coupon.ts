/** What the operator gives out. */
export interface NewCoupon {
  /** As `couponCode` gives it. */
  code: string;
  /** Days that it adds to the trial. */
  trialDays: number | null;
  /** What it takes off every payment; only where payments are taken. */
  percentOff: number | null;
  /** By how many organizations it may be redeemed; null for any number. */
  maxRedemptions: number | null;
  expiresAt: Date | null;
}

export const MAX_COUPONS = 20;

/** Codes are compared without regard to case. */
export const couponCode = (text: string): string => text.trim().toUpperCase();

/** A code that can be typed, and be an id at a payment provider. */
export const isCouponCode = (code: string): boolean => /^[A-Z0-9][A-Z0-9_-]{2,63}$/.test(code);
