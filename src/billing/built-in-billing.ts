import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../auth/index.js';
import type { Actor } from '../organizations/index.js';
import { AccountsRepository } from './accounts.repository.js';
import type { BillingAccount, BillingLinks } from './billing-account.js';
import { BillingAccounts } from './billing-accounts.js';
import { planNotUpgradable } from './billing.errors.js';
import { SUBSCRIPTION_UPDATED } from './billing.events.js';
import { BillingProvider } from './billing-provider.js';
import type { NewCoupon } from './coupons/coupon.js';
import { CouponBook } from './coupons/coupon-book.js';

/** Plans, trials and coupons in PostgreSQL, without payments. */
@Injectable()
export class BuiltInBilling extends BillingProvider {
  override readonly takesPayments = false;

  constructor(
    private readonly book: BillingAccounts,
    private readonly accounts: AccountsRepository,
    private readonly coupons: CouponBook,
  ) {
    super();
  }

  override createCoupon(coupon: NewCoupon): Promise<void> {
    return this.coupons.add(coupon);
  }

  override read(organizationId: OrganizationId): Promise<BillingAccount> {
    return this.book.read(organizationId);
  }

  override async links(): Promise<Partial<BillingLinks>> {
    return {};
  }

  override redeem(organizationId: OrganizationId, code: string, actor: Actor): Promise<void> {
    return this.coupons.redeem(organizationId, code, actor);
  }

  override upgrade(organizationId: OrganizationId, actor: Actor): Promise<void> {
    return this.book.change(organizationId, { event: SUBSCRIPTION_UPDATED, actor }, async ({ plan }, tx) => {
      if (plan === 'enterprise') throw planNotUpgradable();
      if (plan !== 'advanced') await this.accounts.setPlan(organizationId, 'advanced', tx);
    });
  }
}
