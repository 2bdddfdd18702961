import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../../auth/index.js';
import type { ApiError } from '../../common/errors/index.js';
import { duplicateExists, type Transaction } from '../../database/index.js';
import type { Actor } from '../../organizations/index.js';
import { AccountsRepository } from '../accounts.repository.js';
import { BillingAccounts } from '../billing-accounts.js';
import { couponExhausted, couponExpired, couponUnknown, tooManyCoupons } from '../billing.errors.js';
import { COUPON_REDEEMED } from '../billing.events.js';
import { couponCode, MAX_COUPONS, type NewCoupon } from './coupon.js';
import { CouponsRepository } from './coupons.repository.js';

/** Coupons and their redemptions, independent of the payment provider. */
@Injectable()
export class CouponBook {
  constructor(
    private readonly coupons: CouponsRepository,
    private readonly book: BillingAccounts,
    private readonly accounts: AccountsRepository,
  ) {}

  async add(coupon: NewCoupon): Promise<void> {
    if (!(await this.coupons.insert(coupon))) throw duplicateExists({ message: 'There is a coupon with this code.' });
  }

  /** Idempotent: an organization redeems a coupon once at most. */
  async redeem(organizationId: OrganizationId, text: string, actor: Actor): Promise<void> {
    const code = couponCode(text);
    // Most repetitions end here, without locking the account.
    if ((await this.book.read(organizationId)).coupons.includes(code)) return;
    await this.book.change(organizationId, { event: COUPON_REDEEMED, actor }, async (before, tx) => {
      if (before.coupons.includes(code)) return;
      if (before.coupons.length >= MAX_COUPONS) throw tooManyCoupons();
      const coupon = await this.coupons.take(code, tx);
      if (!coupon) throw await this.whyNot(code, tx);
      await this.coupons.redeem(organizationId, code, tx);
      const { trialDays } = coupon;
      if (trialDays !== null) await this.accounts.extendTrial(organizationId, trialDays, tx);
    });
  }

  private async whyNot(code: string, tx: Transaction): Promise<ApiError> {
    const coupon = await this.coupons.find(code, tx);
    if (!coupon) return couponUnknown();
    return coupon.expired ? couponExpired() : couponExhausted();
  }
}
