import { Injectable } from '@nestjs/common';
import type { OrganizationId } from '../../auth/index.js';
import { ApiError } from '../../common/errors/index.js';
import { Config } from '../../config/index.js';
import { duplicateExists } from '../../database/index.js';
import { SERVICE, type Actor } from '../../organizations/index.js';
import { AccountsRepository } from '../accounts.repository.js';
import type { BillingAccount, BillingLinks } from '../billing-account.js';
import { BillingAccounts } from '../billing-accounts.js';
import { paymentDeclined, paymentMethodRequired, planNotUpgradable } from '../billing.errors.js';
import { BillingProvider } from '../billing-provider.js';
import type { NewCoupon } from '../coupons/coupon.js';
import { CouponBook } from '../coupons/coupon-book.js';
import { CouponsRepository } from '../coupons/coupons.repository.js';
import { StripeDiscounts } from './stripe-discounts.js';
import { KeptFailure, RefusedByStripe, StripeGateway, stripeUnavailable } from './stripe-gateway.js';
import { StripeMirror } from './stripe-mirror.js';

const FINAL_CODES: ReadonlySet<string> = new Set([
  paymentDeclined.definition.code,
  paymentMethodRequired.definition.code,
]);

/**
 * Stripe takes the payments and decides which plan an organization has; the account mirrors it. Trials and redemptions
 * are kept here, and Stripe is told the discount of a coupon.
 */
@Injectable()
export class StripeBilling extends BillingProvider {
  override readonly takesPayments = true;

  constructor(
    private readonly book: BillingAccounts,
    private readonly accounts: AccountsRepository,
    private readonly couponBook: CouponBook,
    private readonly coupons: CouponsRepository,
    private readonly discounts: StripeDiscounts,
    private readonly gateway: StripeGateway,
    private readonly mirror: StripeMirror,
    private readonly config: Config,
  ) {
    super();
  }

  /** Created at Stripe first, so that every redeemable coupon is known there. */
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
    const { customerId } = await this.book.read(organizationId);
    // Regardless of the local plan: Stripe may have a subscription that has not been mirrored yet.
    if (customerId === null) return;
    // It stays redeemed; redeeming it again sends the list again.
    await this.discounts.send(organizationId, customerId).catch((error: unknown) => {
      throw this.gateway.asUnavailable(error);
    });
  }

  override async upgrade(organizationId: OrganizationId, actor: Actor): Promise<void> {
    const { plan, upgradeAttempt, customerId: known } = await this.readForUpgrade(organizationId);
    if (plan === 'enterprise') throw planNotUpgradable();
    if (plan === 'advanced') return;
    await this.accounts.beginAttempt(organizationId, actor);
    const { customerId, discounts } = await this.attempt(organizationId, upgradeAttempt, known);
    await this.mirror.refresh(organizationId, customerId, { actor, discounts });
    await this.accounts.endAttempt(organizationId, upgradeAttempt);
    const { plan: found } = await this.book.read(organizationId);
    // Sold at Stripe by hand, and not mirrored until now.
    if (found === 'enterprise') throw planNotUpgradable();
    if (found !== 'advanced') throw stripeUnavailable();
  }

  /** Of a plan that needs no upgrade, Stripe is asked whether it has ended: the message may have been lost. */
  private async readForUpgrade(organizationId: OrganizationId): Promise<BillingAccount> {
    const account = await this.book.read(organizationId);
    const isEnough = account.plan === 'advanced' || account.plan === 'enterprise';
    if (!isEnough || account.customerId === null) return account;
    try {
      await this.mirror.refresh(organizationId, account.customerId, { actor: SERVICE });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Stripe does not answer, or has no such customer; the plan stays.
      return account;
    }
    return this.book.read(organizationId);
  }

  /**
   * Concurrent calls share one idempotency key, so Stripe creates one subscription. What it answers for certain would be
   * repeated under its key, so it ends the attempt; the next one looks first whether there is a subscription. While the
   * key may be busy no other one may be used, or there would be two subscriptions.
   */
  private async attempt(
    organizationId: OrganizationId,
    upgradeAttempt: number,
    known: string | null,
  ): Promise<{ customerId: string; discounts: readonly string[] }> {
    try {
      const customerId = await this.customerOf(organizationId, upgradeAttempt, known);
      const coupons = await this.coupons.listDiscounts(organizationId);
      const key = `upgrade-${organizationId}-${upgradeAttempt}`;
      return { customerId, discounts: await this.subscribe(customerId, { coupons, key }) };
    } catch (error) {
      if (isFinal(error)) await this.accounts.endAttempt(organizationId, upgradeAttempt);
      if (isBusy(error)) await this.accounts.endBlockedAttempt(organizationId, upgradeAttempt);
      throw this.gateway.asUnavailable(error);
    }
  }

  /** A customer that is gone at Stripe cannot add a payment method, so it is replaced. */
  private async customerOf(organizationId: OrganizationId, attempt: number, known: string | null): Promise<string> {
    if (known !== null && !(await this.gateway.isGone(known))) return known;
    const made = await this.gateway.createCustomer(organizationId, `customer-${organizationId}-${attempt}`);
    return this.accounts.linkCustomer(organizationId, made, known);
  }

  /** @returns the coupons that the subscription certainly has; none for one that was not created just now */
  private async subscribe(
    customerId: string,
    { coupons, key }: { coupons: readonly string[]; key: string },
  ): Promise<readonly string[]> {
    const { live, revivable, hasPaymentMethod } = await this.gateway.find(customerId);
    const isRaised = live !== null && live.plan !== 'standard';
    try {
      if (!isRaised) await this.begin(customerId, { live, coupons, key });
      // Revived, they would be a second subscription. Not earlier, as what is owed for them is owed until then.
      for (const id of revivable) await this.gateway.endSubscription(id);
      return live ? [] : coupons;
    } catch (error) {
      if (isBusy(error) && (await this.gateway.find(customerId)).plan === 'advanced') return [];
      if (!(error instanceof RefusedByStripe) || error.isBusy || hasPaymentMethod) throw error;
      throw paymentMethodRequired({ cause: error });
    }
  }

  /**
   * A coupon deleted at Stripe discounts nothing any more, and must not prevent the payment. The call without it has a
   * second key, also shared by concurrent calls, since the refusal would be repeated under the first.
   */
  private async begin(customerId: string, wanted: Parameters<StripeGateway['subscribe']>[1]): Promise<void> {
    try {
      await this.gateway.subscribe(customerId, wanted);
    } catch (error) {
      if (!(error instanceof RefusedByStripe) || error.isBusy || wanted.live) throw error;
      const coupons = await this.gateway.knownCoupons(wanted.coupons);
      if (coupons.length === wanted.coupons.length) throw error;
      await this.gateway.subscribe(customerId, { ...wanted, coupons, key: `${wanted.key}-known` });
    }
  }
}

const isBusy = (error: unknown): boolean => error instanceof RefusedByStripe && error.isBusy;

/** Whether Stripe has answered, so that its answer for the key will not change. */
function isFinal(error: unknown): boolean {
  if (error instanceof RefusedByStripe) return !error.isBusy;
  if (error instanceof KeptFailure) return true;
  return error instanceof ApiError && FINAL_CODES.has(error.code);
}
