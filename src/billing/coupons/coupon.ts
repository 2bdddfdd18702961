/** A coupon as created by the operator. */
export interface NewCoupon {
  /** Normalised by `couponCode`. */
  code: string;
  /** Days added to the trial. */
  trialDays: number | null;
  /** Discount on every payment; only where payments are taken. */
  percentOff: number | null;
  /** Maximum number of organizations that may redeem it; null for no limit. */
  maxRedemptions: number | null;
  expiresAt: Date | null;
}

export const MAX_COUPONS = 20;

/** Codes are case-insensitive. */
export const couponCode = (text: string): string => text.trim().toUpperCase();

/** A code that can be typed, and used as an id at a payment provider. */
export const isCouponCode = (code: string): boolean => /^[A-Z0-9][A-Z0-9_-]{2,63}$/.test(code);
