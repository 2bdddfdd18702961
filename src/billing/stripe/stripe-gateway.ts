import { Injectable, Logger } from '@nestjs/common';
import Stripe from 'stripe';
import { VENDOR_RETRY_SECONDS } from '../../common/errors/index.js';
import { isWebAddress } from '../../common/web-address.js';
import type { BillingLinks } from '../billing-account.js';
import { billingUnavailable, paymentDeclined } from '../billing.errors.js';
import { isStripeId, PRICE_KEYS, readCustomer, type LiveSubscription, type StripeState } from './stripe-state.js';

/** Links justify only a short wait: a response without them is still useful. */
const LINK_OPTIONS = { timeout: 3_000, maxNetworkRetries: 0 };

export const stripeUnavailable = (cause?: unknown): Error =>
  billingUnavailable({ cause, retryAfterSeconds: VENDOR_RETRY_SECONDS });

/** Stripe understood a request and refused it. */
export class RefusedByStripe extends Error {
  override readonly name = 'RefusedByStripe';

  /** @param isBusy whether a request with the same key and other parameters was made, and may still be running */
  constructor(
    readonly code: string | undefined,
    readonly isBusy: boolean,
  ) {
    super(`Stripe refused: ${code ?? 'no code'}`);
  }
}

/** Stripe failed at a request, and repeats the failure for as long as it knows the key: about a day. */
export class KeptFailure extends Error {
  override readonly name = 'KeptFailure';
}

/** Requests to Stripe, and the translation of its errors. */
@Injectable()
export class StripeGateway {
  private readonly log = new Logger('Billing');

  constructor(private readonly stripe: Stripe) {}

  /** Returns the same customer when repeated with the key within a day. @throws KeptFailure, RefusedByStripe */
  async createCustomer(organizationId: string, idempotencyKey: string): Promise<string> {
    const { id } = await this.askKeyed(() =>
      this.stripe.customers.create({ metadata: { organizationId } }, { idempotencyKey }),
    );
    if (!isStripeId(id)) throw stripeUnavailable();
    return id;
  }

  find(customerId: string): Promise<StripeState> {
    return this.need(() => this.read(customerId));
  }

  /** Whether it was deleted, or is none of this account, as after a change from the test mode to the live one. */
  async isGone(customerId: string): Promise<boolean> {
    try {
      return (await this.ask(() => this.read(customerId))).isGone;
    } catch (error) {
      if (error instanceof RefusedByStripe && error.code === 'resource_missing') return true;
      throw this.asUnavailable(error);
    }
  }

  private async read(customerId: string): Promise<StripeState> {
    const customer = await this.stripe.customers.retrieve(customerId, { expand: ['subscriptions'] });
    if (customer.id !== customerId) throw new Error('Stripe answered with another customer.');
    return readCustomer(customer);
  }

  /** Starts charging for the advanced plan, or changes the plan. Idempotent per key. @throws KeptFailure, RefusedByStripe */
  async subscribe(
    customerId: string,
    { live, coupons, key }: { live: LiveSubscription | null; coupons: readonly string[]; key: string },
  ): Promise<void> {
    const price = await this.advancedPrice();
    const payment_behavior = 'error_if_incomplete' as const;
    await this.askKeyed(() =>
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
              // Periods are calendar months, as in this service.
              billing_cycle_anchor_config: { day_of_month: 1 },
              ...(coupons.length > 0 && { discounts: coupons.map((coupon) => ({ coupon })) }),
            },
            { idempotencyKey: key },
          ),
    );
  }

  /** The amount owed stays owed. A no-op if it has already ended. */
  async endSubscription(subscriptionId: string): Promise<void> {
    await this.ask(() => this.stripe.subscriptions.cancel(subscriptionId)).catch((error: unknown) => {
      if (!(error instanceof RefusedByStripe)) throw error;
    });
  }

  /**
   * Stripe refuses the whole list if one coupon was deleted there. Where the subscription already has its discount,
   * that is kept; where not, the coupon is dropped so that the others count.
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

  /** Ids of the subscription's discounts from coupons other than these. */
  private async discountsBut(subscriptionId: string, coupons: readonly string[]): Promise<string[]> {
    return this.ask(async () => {
      const { discounts } = await this.stripe.subscriptions.retrieve(subscriptionId, { expand: ['discounts'] });
      return discounts.flatMap((discount) => {
        if (typeof discount === 'string') return [];
        const { coupon } = discount.source;
        return coupons.includes(typeof coupon === 'string' ? coupon : (coupon?.id ?? '')) ? [] : [discount.id];
      });
    });
  }

  /** @returns false when a different coupon has this id */
  async createCoupon(code: string, percentOff: number): Promise<boolean> {
    try {
      await this.ask(() => this.stripe.coupons.create({ id: code, percent_off: percentOff, duration: 'forever' }));
      return true;
    } catch (error) {
      if (!(error instanceof RefusedByStripe) || error.code !== 'resource_already_exists') throw error;
      // Left behind by an attempt that failed later.
      const found = await this.ask(() => this.stripe.coupons.retrieve(code));
      return found.percent_off === percentOff && found.duration === 'forever';
    }
  }

  /** The coupons that have not been deleted at Stripe. */
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

  /** Addresses of the customer's own portal; those not returned in time are left out. */
  async links(customerId: string, returnUrl: string): Promise<Partial<BillingLinks>> {
    const open = async (extra: Partial<Stripe.BillingPortal.SessionCreateParams>): Promise<string | null> =>
      this.ask(() =>
        this.stripe.billingPortal.sessions.create(
          { customer: customerId, return_url: returnUrl, ...extra },
          LINK_OPTIONS,
        ),
      ).then(
        ({ url }) => (isWebAddress(url) ? url : null),
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
    const price = await this.need(
      async () => (await this.stripe.prices.list({ lookup_keys: [advanced], active: true, limit: 1 })).data[0],
    );
    if (price) return price.id;
    this.log.error(`Stripe has no active price with the lookup key ${advanced}.`);
    throw stripeUnavailable();
  }

  /** Maps a final refusal to an outage: Stripe is not set up correctly. Other errors are returned unchanged. */
  asUnavailable(error: unknown): unknown {
    if (error instanceof KeptFailure) return stripeUnavailable(error);
    if (!(error instanceof RefusedByStripe)) return error;
    this.log.error(error.message);
    return stripeUnavailable(error);
  }

  private need<T>(request: () => Promise<T>): Promise<T> {
    return this.ask(request).catch((error: unknown) => {
      throw this.asUnavailable(error);
    });
  }

  private askKeyed<T>(request: () => Promise<T>): Promise<T> {
    return this.ask(request).catch((error: unknown) => {
      const isKept = error instanceof Error && isKeptByStripe(error.cause);
      throw isKept ? new KeptFailure('Stripe failed.', { cause: error }) : error;
    });
  }

  private async ask<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      if (error instanceof Stripe.errors.StripeCardError) throw paymentDeclined({ cause: error });
      if (error instanceof Stripe.errors.StripeIdempotencyError) throw new RefusedByStripe(error.code, true);
      if (error instanceof Stripe.errors.StripeInvalidRequestError) throw new RefusedByStripe(error.code, false);
      // Stripe's messages may quote what was sent, so only other fields are logged.
      if (error instanceof Stripe.errors.StripeError) {
        const { type, code = '-', statusCode = '-', requestId = '-' } = error;
        this.log.error(`stripe=${type} status=${statusCode} code=${code} request=${requestId}`);
      } else this.log.error(`An answer of Stripe cannot be read: ${(error as Error).message}`);
      throw stripeUnavailable(error);
    }
  }
}

/** Failures of proxies in between are not kept: the request may be running, and its key gets the result. */
function isKeptByStripe(error: unknown): boolean {
  if (!(error instanceof Stripe.errors.StripeError) || (error.statusCode ?? 0) < 500) return false;
  return error.headers?.['idempotent-replayed'] === 'true' || error.headers?.['stripe-should-retry'] === 'false';
}
