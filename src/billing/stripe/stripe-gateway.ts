import { Injectable, Logger } from '@nestjs/common';
import Stripe from 'stripe';
import type { BillingLinks } from '../billing-account.js';
import { billingUnavailable, paymentDeclined } from '../billing.errors.js';
import { PRICE_KEYS, readCustomer, type LiveSubscription, type StripeState } from './stripe-state.js';

const RETRY_AFTER_SECONDS = 5;
/** Links are worth a short wait: without them an answer is still an answer. */
const LINK_OPTIONS = { timeout: 3_000, maxNetworkRetries: 0 };

export const stripeUnavailable = (cause?: unknown): Error =>
  billingUnavailable({ cause, retryAfterSeconds: RETRY_AFTER_SECONDS });

/** Stripe understood a request and did not do it. */
export class RefusedByStripe extends Error {
  override readonly name = 'RefusedByStripe';

  /** @param isBusy another request under the same key is under way, or was made with other parameters */
  constructor(
    readonly code: string | undefined,
    readonly isBusy: boolean,
  ) {
    super(`Stripe refused: ${code ?? 'no code'}`);
  }
}

/** What the service asks of Stripe, and what its errors mean here. */
@Injectable()
export class StripeGateway {
  private readonly log = new Logger('Billing');

  constructor(private readonly stripe: Stripe) {}

  /**
   * The same customer for an organization, however often it is asked within a day.
   *
   * @param gone one that was deleted there, whose key would be answered with it
   */
  async createCustomer(organizationId: string, gone: string | null): Promise<string> {
    const idempotencyKey = gone === null ? `customer-${organizationId}` : `customer-${organizationId}-after-${gone}`;
    const customer = await this.need(() =>
      this.stripe.customers.create({ metadata: { organizationId } }, { idempotencyKey }),
    );
    return customer.id;
  }

  async find(customerId: string): Promise<StripeState> {
    return readCustomer(
      await this.need(() => this.stripe.customers.retrieve(customerId, { expand: ['subscriptions'] })),
    );
  }

  /** Begins to charge for the advanced plan, or changes the plan that is charged. Once for each key. @throws RefusedByStripe */
  async subscribe(
    customerId: string,
    { live, coupons, key }: { live: LiveSubscription | null; coupons: readonly string[]; key: string },
  ): Promise<void> {
    const price = await this.advancedPrice();
    const payment_behavior = 'error_if_incomplete' as const;
    await this.ask(() =>
      live
        ? this.stripe.subscriptions.update(
            live.id,
            { items: [{ id: live.itemId, price }], payment_behavior },
            { idempotencyKey: key },
          )
        : this.stripe.subscriptions.create(
            {
              customer: customerId,
              items: [{ price }],
              payment_behavior,
              // Periods are months here as there.
              billing_cycle_anchor_config: { day_of_month: 1 },
              ...(coupons.length > 0 && { discounts: coupons.map((coupon) => ({ coupon })) }),
            },
            { idempotencyKey: key },
          ),
    );
  }

  /** What is owed for it stays owed. One that has ended already stays as it is. */
  async endSubscription(subscriptionId: string): Promise<void> {
    await this.ask(() => this.stripe.subscriptions.cancel(subscriptionId)).catch((error: unknown) => {
      if (!(error instanceof RefusedByStripe)) throw error;
    });
  }

  /**
   * Stripe refuses the whole list for one coupon that was deleted there. It goes on taking off what it takes off where it
   * was redeemed before, by its discount; where it was not, it keeps no other one from counting.
   * @throws RefusedByStripe
   */
  async setDiscounts(subscriptionId: string, coupons: readonly string[]): Promise<void> {
    const set = (discounts: Stripe.SubscriptionUpdateParams.Discount[]): Promise<unknown> =>
      this.ask(() => this.stripe.subscriptions.update(subscriptionId, { discounts }));
    try {
      await set(coupons.map((coupon) => ({ coupon })));
    } catch (error) {
      if (!(error instanceof RefusedByStripe) || error.isBusy) throw error;
      const known = await this.knownCoupons(coupons);
      if (known.length === 0 || known.length === coupons.length) throw error;
      const kept = await this.discountsBut(subscriptionId, known);
      await set([...kept.map((discount) => ({ discount })), ...known.map((coupon) => ({ coupon }))]);
    }
  }

  /** Discounts of a subscription by other coupons than these. */
  private async discountsBut(subscriptionId: string, coupons: readonly string[]): Promise<string[]> {
    const { discounts } = await this.ask(() =>
      this.stripe.subscriptions.retrieve(subscriptionId, { expand: ['discounts'] }),
    );
    return discounts.flatMap((discount) => {
      if (typeof discount === 'string') return [];
      const { coupon } = discount.source;
      return coupons.includes(typeof coupon === 'string' ? coupon : (coupon?.id ?? '')) ? [] : [discount.id];
    });
  }

  /** @returns false when there is another coupon with this id */
  async createCoupon(code: string, percentOff: number): Promise<boolean> {
    try {
      await this.ask(() => this.stripe.coupons.create({ id: code, percent_off: percentOff, duration: 'forever' }));
      return true;
    } catch (error) {
      if (!(error instanceof RefusedByStripe) || error.code !== 'resource_already_exists') throw error;
      // Left by an attempt that went no further.
      const found = await this.ask(() => this.stripe.coupons.retrieve(code));
      return found.percent_off === percentOff && found.duration === 'forever';
    }
  }

  /** Those of some coupons that have not been deleted there. */
  async knownCoupons(codes: readonly string[]): Promise<string[]> {
    const known: string[] = [];
    for (const code of codes) {
      const isThere = await this.ask(() => this.stripe.coupons.retrieve(code)).then(
        () => true,
        (error: unknown) => {
          if (error instanceof RefusedByStripe && error.code === 'resource_missing') return false;
          throw error;
        },
      );
      if (isThere) known.push(code);
    }
    return known;
  }

  /** Addresses of the customer's own portal; those that do not come in time are left out. */
  async links(customerId: string, returnUrl: string): Promise<Partial<BillingLinks>> {
    const open = async (extra: Partial<Stripe.BillingPortal.SessionCreateParams>): Promise<string | null> =>
      this.ask(() =>
        this.stripe.billingPortal.sessions.create(
          { customer: customerId, return_url: returnUrl, ...extra },
          LINK_OPTIONS,
        ),
      ).then(
        ({ url }) => url,
        () => null,
      );
    const [portal, addPaymentMethod] = await Promise.all([
      open({}),
      open({ flow_data: { type: 'payment_method_update' } }),
    ]);
    return { ...(portal !== null && { portal }), ...(addPaymentMethod !== null && { addPaymentMethod }) };
  }

  private async advancedPrice(): Promise<string> {
    const { advanced } = PRICE_KEYS;
    const { data } = await this.need(() =>
      this.stripe.prices.list({ lookup_keys: [advanced], active: true, limit: 1 }),
    );
    if (data[0]) return data[0].id;
    this.log.error(`Stripe has no active price with the lookup key ${advanced}.`);
    throw stripeUnavailable();
  }

  /** What a refusal is where nothing else can be tried: Stripe is not set up as it must be. Other errors are themselves. */
  asUnavailable(error: unknown): unknown {
    if (!(error instanceof RefusedByStripe)) return error;
    this.log.error(error.message);
    return stripeUnavailable(error);
  }

  private need<T>(request: () => Promise<T>): Promise<T> {
    return this.ask(request).catch((error: unknown) => {
      throw this.asUnavailable(error);
    });
  }

  private async ask<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      if (error instanceof Stripe.errors.StripeCardError) throw paymentDeclined({ cause: error });
      if (error instanceof Stripe.errors.StripeIdempotencyError) throw new RefusedByStripe(error.code, true);
      if (error instanceof Stripe.errors.StripeInvalidRequestError) throw new RefusedByStripe(error.code, false);
      // Messages of Stripe may quote what was sent, so the log has the rest.
      if (error instanceof Stripe.errors.StripeError) {
        const { type, code = '-', statusCode = '-', requestId = '-' } = error;
        this.log.error(`stripe=${type} status=${statusCode} code=${code} request=${requestId}`);
      }
      throw stripeUnavailable(error);
    }
  }
}
