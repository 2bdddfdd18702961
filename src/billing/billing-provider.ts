import type { OrganizationId } from '../auth/index.js';
import type { Actor } from '../organizations/index.js';
import type { BillingAccount, BillingLinks } from './billing-account.js';
import type { NewCoupon } from './coupons/coupon.js';

/** The keeper of organizations' subscriptions, which may also take payments. */
export abstract class BillingProvider {
  /** Whether it takes payments, so that a coupon can discount them. */
  abstract readonly takesPayments: boolean;

  /** Creates a coupon that organizations can redeem. @throws 422 when the code exists already */
  abstract createCoupon(coupon: NewCoupon): Promise<void>;

  /** @throws 404 for an unknown organization */
  abstract read(organizationId: OrganizationId): Promise<BillingAccount>;

  /** Links for managing payments; empty where there are none, or the provider does not answer in time. */
  abstract links(account: BillingAccount): Promise<Partial<BillingLinks>>;

  /** Redeems a coupon for an organization. Idempotent. @throws 422 when it cannot be redeemed */
  abstract redeem(organizationId: OrganizationId, code: string, actor: Actor): Promise<void>;

  /** Moves the organization to the advanced plan. Idempotent. @throws 422 when it has to pay and cannot */
  abstract upgrade(organizationId: OrganizationId, actor: Actor): Promise<void>;
}
