import type { OrganizationId } from '../auth/index.js';
import type { Actor } from '../organizations/index.js';
import type { BillingAccount, BillingLinks } from './billing-account.js';
import type { NewCoupon } from './coupons/coupon.js';

/** Who keeps the subscriptions of organizations, and takes payments if anybody does. */
export abstract class BillingProvider {
  /** Whether it takes payments, so that a coupon may take something off. */
  abstract readonly takesPayments: boolean;

  /** Makes a coupon that organizations can redeem. @throws 422 when there is one with this code */
  abstract createCoupon(coupon: NewCoupon): Promise<void>;

  /** @throws 404 when there is no such organization */
  abstract read(organizationId: OrganizationId): Promise<BillingAccount>;

  /** Where an owner settles payments; empty when there is nowhere, or the provider does not say in time. */
  abstract links(account: BillingAccount): Promise<Partial<BillingLinks>>;

  /** Redeems a coupon once for an organization, however often it is asked. @throws 422 when it cannot be redeemed */
  abstract redeem(organizationId: OrganizationId, code: string, actor: Actor): Promise<void>;

  /** Moves the organization to the advanced plan, once. @throws 422 when it has to pay and cannot */
  abstract upgrade(organizationId: OrganizationId, actor: Actor): Promise<void>;
}
