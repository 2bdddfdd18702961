export { BillingModule } from './billing.module.js';
export { BillingProvider } from './billing-provider.js';
export { couponCode, isCouponCode, type NewCoupon } from './coupons/coupon.js';
export type { BillingAccount, BillingLinks } from './billing-account.js';
