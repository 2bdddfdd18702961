import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../../auth/index.js';
import { ApiError } from '../../common/errors/index.js';
import { Config } from '../../config/index.js';
import { duplicateExists } from '../../database/index.js';
import type { Actor } from '../../organizations/index.js';
import { AccountsRepository } from '../accounts.repository.js';
import type { BillingAccount, BillingLinks } from '../billing-account.js';
import { BillingAccounts } from '../billing-accounts.js';
import { billingUnavailable, paymentDeclined, paymentMethodRequired, planNotUpgradable } from '../billing.errors.js';
import { BillingProvider } from '../billing-provider.js';
import type { NewCoupon } from '../coupons/coupon.js';
import { CouponBook } from '../coupons/coupon-book.js';
import { CouponsRepository } from '../coupons/coupons.repository.js';
import { RefusedByStripe, StripeGateway } from './stripe-gateway.js';
import { StripeMirror } from './stripe-mirror.js';

/** Coupons that come while others are being sent are sent again with them; more often than this nobody redeems. */
const MAX_ROUNDS = 5;

/**
 * Stripe takes the payments and knows who pays for which plan; the account mirrors it. Trials, and who has redeemed
 * which coupon, are kept here, and Stripe is told what a coupon takes off.
 */
@Injectable()
export class StripeBilling extends BillingProvider {
  override readonly takesPayments = true;

  constructor(
    private readonly book: BillingAccounts,
    private readonly accounts: AccountsRepository,
    private readonly couponBook: CouponBook,
    private readonly coupons: CouponsRepository,
    private readonly gateway: StripeGateway,
    private readonly mirror: StripeMirror,
    private readonly config: Config,
  ) {
    super();
  }

  /** At Stripe first: a coupon that can be redeemed is known there. */
  override async createCoupon(coupon: NewCoupon): Promise<void> {
    const { code, percentOff } = coupon;
    if (percentOff !== null && !(await this.gateway.createCoupon(code, percentOff))) {
      throw duplicateExists({ message: 'Stripe has another coupon with this id.' });
    }
    await this.couponBook.add(coupon);
  }

  override read(organizationId: OrganizationId): Promise<BillingAccount> {
    return this.book.read(organizationId);
  }

  override async links({ customerId }: BillingAccount): Promise<Partial<BillingLinks>> {
    return customerId === null ? {} : this.gateway.links(customerId, this.config.publicUrl);
  }

  override async redeem(organizationId: OrganizationId, code: string, actor: Actor): Promise<void> {
    await this.couponBook.redeem(organizationId, code, actor);
    const { plan, customerId } = await this.book.read(organizationId);
    if (plan !== 'free' && customerId !== null) await this.sendDiscounts(organizationId, customerId, null);
  }

  override async upgrade(organizationId: OrganizationId, actor: Actor): Promise<void> {
    const { plan, upgradeAttempt, customerId: known } = await this.book.read(organizationId);
    if (plan === 'enterprise') throw planNotUpgradable();
    if (plan === 'advanced') return;
    await this.accounts.beginAttempt(organizationId, actor);
    const customerId = known ?? (await this.makeCustomer(organizationId));
    const sent = await this.coupons.listDiscounts(organizationId);
    const key = `upgrade-${organizationId}-${upgradeAttempt}`;
    const attempt = { customerId, coupons: sent, key, upgradeAttempt };
    await this.subscribe(organizationId, attempt);
    await this.mirror.refresh(organizationId, customerId, actor);
    await this.accounts.endAttempt(organizationId, upgradeAttempt);
    if ((await this.book.read(organizationId)).plan !== 'advanced') throw billingUnavailable();
    // A coupon that was redeemed meanwhile found no plan to take something off.
    await this.sendDiscounts(organizationId, customerId, sent);
  }

  private async makeCustomer(organizationId: OrganizationId): Promise<string> {
    return this.accounts.linkCustomer(organizationId, await this.gateway.createCustomer(organizationId));
  }

  /**
   * All that ask at once have one key, which Stripe answers with one subscription. A refusal is an answer too, and would
   * be repeated under its key, so it ends the attempt. While the key is busy nobody may take another one, or there
   * would be two subscriptions.
   */
  private async subscribe(
    organizationId: OrganizationId,
    attempt: { customerId: string; coupons: readonly string[]; key: string; upgradeAttempt: number },
  ): Promise<void> {
    const { customerId, coupons, key, upgradeAttempt } = attempt;
    const { live, hasPaymentMethod } = await this.gateway.find(customerId);
    if (live && live.plan !== 'standard') return;
    try {
      await this.gateway.subscribe(customerId, { live, coupons, key });
    } catch (error) {
      const isFinal = error instanceof RefusedByStripe ? !error.isBusy : isDeclined(error);
      if (isFinal) await this.accounts.endAttempt(organizationId, upgradeAttempt);
      if (!(error instanceof RefusedByStripe)) throw error;
      if (error.isBusy && (await this.gateway.find(customerId)).plan === 'advanced') return;
      throw hasPaymentMethod || error.isBusy
        ? billingUnavailable({ cause: error })
        : paymentMethodRequired({ cause: error });
    }
  }

  /** Stripe takes the whole list, so it is sent until nothing was redeemed while it was under way. */
  private async sendDiscounts(
    organizationId: OrganizationId,
    customerId: string,
    known: readonly string[] | null,
  ): Promise<void> {
    let sent = known ?? [];
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const redeemed = await this.coupons.listDiscounts(organizationId);
      if (redeemed.join() === sent.join()) return;
      const { live } = await this.gateway.find(customerId);
      if (!live) return;
      await this.gateway.setDiscounts(live.id, redeemed);
      sent = redeemed;
    }
  }
}

const isDeclined = (error: unknown): boolean =>
  error instanceof ApiError && error.code === paymentDeclined.definition.code;
