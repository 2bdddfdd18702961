import { describe, expect, it } from '@jest/globals';
import type Stripe from 'stripe';
import { readCustomer } from './stripe-state.js';

const subscription = (lookup_key: string | null, status = 'active', default_payment_method: string | null = null) => ({
  id: `sub_${lookup_key}`,
  status,
  default_payment_method,
  items: {
    data: [
      { id: 'si_0', price: { lookup_key: null } },
      { id: 'si_1', price: { lookup_key } },
    ],
  },
});

const customer = (
  subscriptions: object[],
  { method = null, source = null }: { method?: string | null; source?: string | null } = {},
): Stripe.Customer =>
  ({
    id: 'cus_1',
    default_source: source,
    invoice_settings: { default_payment_method: method },
    subscriptions: { data: subscriptions },
  }) as unknown as Stripe.Customer;

describe('the state of a customer at Stripe', () => {
  it.each([
    ['active', 'advanced', false],
    ['trialing', 'advanced', false],
    ['past_due', 'advanced', true],
    ['unpaid', 'free', true],
    ['incomplete', 'free', false],
    ['incomplete_expired', 'free', false],
    ['paused', 'free', false],
    ['canceled', 'free', false],
    ['a status to come', 'free', false],
  ])('whose subscription is %s is the plan %s, overdue: %s', (status, plan, paymentOverdue) => {
    expect(readCustomer(customer([subscription('gatehouse_advanced', status)]))).toMatchObject({
      plan,
      paymentOverdue,
    });
  });

  it('is the largest plan that is in force, whatever else is paid there', () => {
    const { plan, live } = readCustomer(
      customer([
        subscription('gatehouse_standard'),
        subscription('gatehouse_enterprise', 'canceled'),
        subscription('gatehouse_advanced'),
        subscription('somebody_elses'),
        subscription(null, 'past_due'),
      ]),
    );
    expect({ plan, live }).toEqual({
      plan: 'advanced',
      live: { id: 'sub_gatehouse_advanced', itemId: 'si_1', plan: 'advanced' },
    });
  });

  it.each([
    ['none', customer([]), false],
    ['one of the customer', customer([], { method: 'pm_1' }), true],
    ['a source of the customer', customer([], { source: 'card_1' }), true],
    ['one of the subscription', customer([subscription('gatehouse_standard', 'active', 'pm_2')]), true],
  ])('knows a payment method where there is %s', (_name, seen, hasPaymentMethod) => {
    expect(readCustomer(seen).hasPaymentMethod).toBe(hasPaymentMethod);
  });

  it('that was deleted there is free, and unknown when read without subscriptions', () => {
    expect(readCustomer({ id: 'cus_1', object: 'customer', deleted: true })).toEqual({
      plan: 'free',
      hasPaymentMethod: false,
      paymentOverdue: false,
      live: null,
      revivable: [],
      isGone: true,
    });
    const { subscriptions: _, ...without } = customer([]);
    expect(() => readCustomer(without)).toThrow('without subscriptions');
  });
});
