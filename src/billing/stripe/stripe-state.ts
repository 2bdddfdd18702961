import type Stripe from 'stripe';
import type { MirroredState } from '../accounts.repository.js';
import type { PlanType } from '../plans.js';

/** Prices are looked up by these keys, so that the operator sets amounts at Stripe only. */
export const PRICE_KEYS = {
  standard: 'gatehouse_standard',
  advanced: 'gatehouse_advanced',
  enterprise: 'gatehouse_enterprise',
} as const satisfies Partial<Record<PlanType, string>>;

/** Stripe's ids have at most 255 characters. Anything else could not be stored, or would be found by nobody. */
export const isStripeId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w.-]{1,255}$/.test(value);

/** From the smallest to the largest. */
const PAID_PLANS = ['standard', 'advanced', 'enterprise'] as const;
type PaidPlan = (typeof PAID_PLANS)[number];

/** A plan stays in force while a payment is retried, until Stripe gives up (`unpaid`, `canceled`). */
const IN_FORCE: ReadonlySet<string> = new Set(['active', 'trialing', 'past_due']);
const OVERDUE: ReadonlySet<string> = new Set(['past_due', 'unpaid']);

/** Without effect, until somebody pays the first or last invoice, or resumes it. */
const REVIVABLE: ReadonlySet<string> = new Set(['unpaid', 'incomplete', 'paused']);

/** The subscription in force to one of our prices. */
export interface LiveSubscription {
  id: string;
  itemId: string;
  plan: PaidPlan;
}

export interface StripeState extends MirroredState {
  live: LiveSubscription | null;
  /** Subscriptions to our prices that are not in force, and could be again. */
  revivable: readonly string[];
  /** Deleted at Stripe, so it can never pay again. */
  isGone: boolean;
}

/**
 * The local meaning of a Stripe customer with its subscriptions. Prices that are not ours are ignored.
 *
 * @throws on a customer in another form
 */
export function readCustomer(customer: Stripe.Customer | Stripe.DeletedCustomer): StripeState {
  if (customer.deleted)
    return { plan: 'free', hasPaymentMethod: false, paymentOverdue: false, live: null, revivable: [], isGone: true };
  // Without them, a plan that is paid for would look free, and be paid for twice after an upgrade.
  if (!customer.subscriptions) throw new Error('Stripe showed the customer without subscriptions.');
  const ours = customer.subscriptions.data.flatMap(planOf);
  const [live = null] = ours
    .filter(({ status }) => IN_FORCE.has(status))
    .sort((a, b) => PAID_PLANS.indexOf(b.plan) - PAID_PLANS.indexOf(a.plan));
  return {
    plan: live?.plan ?? 'free',
    hasPaymentMethod:
      Boolean(customer.invoice_settings.default_payment_method ?? customer.default_source) ||
      ours.some(({ isPaidByItself }) => isPaidByItself),
    paymentOverdue: ours.some(({ status }) => OVERDUE.has(status)),
    live: live && { id: live.id, itemId: live.itemId, plan: live.plan },
    revivable: ours.filter(({ status }) => REVIVABLE.has(status)).map(({ id }) => id),
    isGone: false,
  };
}

interface OurSubscription extends LiveSubscription {
  status: string;
  isPaidByItself: boolean;
}

function planOf({ id, status, items, default_payment_method }: Stripe.Subscription): OurSubscription[] {
  for (const item of items.data) {
    const plan = PAID_PLANS.find((name) => PRICE_KEYS[name] === item.price.lookup_key);
    if (plan) return [{ id, itemId: item.id, plan, status, isPaidByItself: Boolean(default_payment_method) }];
  }
  return [];
}
