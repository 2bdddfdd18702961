import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { BillingProvider } from '../../src/billing/index.js';
import { StripeBilling } from '../../src/billing/stripe/stripe-billing.js';
import { Clock } from '../../src/common/clock.js';
import { SecurityEvent, SecurityLog } from '../../src/common/security/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { auditOf, lastAudit } from '../support/audit.js';
import { billingUnderTest } from '../support/billing.js';
import type { Answer } from '../support/client.js';
import { BILLING_CONTRACT } from '../support/ports/billing-contract.js';
import { rowsOf } from '../support/rows.js';
import { run } from '../support/service-process.js';
import { StripeServer } from '../support/stripe-server.js';
import { World } from '../support/world.js';

const SECRET_KEY = `sk_test_${randomBytes(12).toString('hex')}`;
const WEBHOOK_SECRET = `whsec_${randomBytes(12).toString('hex')}`;

let stripe: StripeServer;
let test: TestApp;
let settings: Record<string, string>;

beforeAll(async () => {
  stripe = await StripeServer.start(SECRET_KEY, WEBHOOK_SECRET);
  settings = { STRIPE_SECRET_KEY: SECRET_KEY, STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET, STRIPE_API_URL: stripe.url };
  test = await startTestApp({ env: { ROLE: 'api', ...settings } });
});
beforeEach(() => {
  stripe.paymentMethod = 'good';
  stripe.before = () => null;
  stripe.after = () => undefined;
  stripe.failing = () => null;
  stripe.now = () => Date.now();
});
afterAll(async () => {
  await test.close();
  await stripe.close();
});

interface Subscription {
  planType: string;
  hasPaymentMethod: boolean;
  shouldLockEnvironmentSwitch: boolean;
  billingPortalUrl?: string;
  billingPortalAddPaymentMethodUrl?: string;
  coupons: { coupon: string }[];
  code?: string;
}

const path = ({ ids }: World, rest: string): string => `/organizations/${ids.organizationId}/billing${rest}`;
const read = async (world: World): Promise<Subscription> =>
  (await world.owner.get<Subscription>(path(world, '/subscription'), { expect: 200 })).body;
const upgrade = (world: World): Promise<Answer<Subscription>> => world.owner.put<Subscription>(path(world, '/upgrade'));
const redeem = (world: World, coupon: string): Promise<Answer<Subscription>> =>
  world.owner.put<Subscription>(path(world, '/subscription/coupon'), { coupon }, { expect: 200 });

/** The organization's subscriptions at Stripe that are paid for, of any of its customers. */
const liveOf = ({ ids }: World) => {
  const own = [...stripe.customers.values()].filter(
    ({ metadata }) => metadata['organizationId'] === ids.organizationId,
  );
  return [...stripe.subscriptions.values()].filter(
    ({ customer, status }) => status === 'active' && own.some(({ id }) => id === customer),
  );
};

const REFUSED = { status: 400, body: { error: { type: 'invalid_request_error', code: 'any' } } };
const UNAVAILABLE = { status: 503, code: 'billing_unavailable', retry: '5' };
const unavailable = ({ status, body, headers }: Answer<Subscription>): typeof UNAVAILABLE => ({
  ...{ status, code: body.code!, retry: headers.get('retry-after')! },
});

async function makeCoupon(percentOff: number): Promise<string> {
  const code = `S${randomBytes(6).toString('hex').toUpperCase()}`;
  const none = { trialDays: null, maxRedemptions: null, expiresAt: null };
  await test.app.get(BillingProvider).createCoupon({ ...none, code, percentOff });
  return code;
}

async function deliver(message: { body: string; headers: Record<string, string> }): Promise<number> {
  const { status } = await fetch(`${test.url}/billing/stripe/messages`, { method: 'POST', ...message });
  return status;
}

/** An organization on the advanced plan, and its subscription at Stripe. */
async function subscribed(): Promise<{ world: World; own: ReturnType<StripeServer['subscriptionsOf']>[0] }> {
  const world = await World.create(test);
  expect((await upgrade(world)).status).toBe(201);
  return { world, own: stripe.subscriptionsOf(world.ids.organizationId)[0]! };
}

describe('billing by Stripe', () => {
  it.each(BILLING_CONTRACT)('$sentence', async ({ verify }) => {
    const subject = billingUnderTest(test, await World.create(test));
    expect(subject.provider).toBeInstanceOf(StripeBilling);
    await expect(verify(subject)).resolves.toBeUndefined();
  });
});

describe('an upgrade', () => {
  it('creates one customer and one subscription for 50 concurrent requests', async () => {
    const world = await World.create(test);
    const answers = await Promise.all(Array.from({ length: 50 }, () => upgrade(world)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(stripe.subscriptionsOf(world.ids.organizationId)).toMatchObject([
      { lookupKey: 'gatehouse_advanced', status: 'active' },
    ]);
    expect(await auditOf(test, world.ids.organizationId, { action: 'subscription.updated' })).toHaveLength(1);
  }, 120_000);

  it('is recorded with the owner who asked for it, and shows where payments are settled', async () => {
    const { world } = await subscribed();
    expect(await read(world)).toMatchObject({
      planType: 'advanced',
      hasPaymentMethod: true,
      shouldLockEnvironmentSwitch: false,
      billingPortalUrl: 'https://billing.example.com/p',
      billingPortalAddPaymentMethodUrl: 'https://billing.example.com/p?flow=payment_method_update',
    });
    expect(await lastAudit(test, world.ids.organizationId, 'subscription.updated')).toMatchObject({
      actor: { kind: 'member', id: world.ids.ownerUserId },
      changes: { planType: ['free', 'advanced'], hasPaymentMethod: [false, true] },
    });
  });

  it('is attributed to the owner even if a Stripe message arrives first', async () => {
    const world = await World.create(test);
    const { organizationId } = world.ids;
    const delivered: number[] = [];
    stripe.after = async ({ path: asked, method }) => {
      if (method !== 'POST' || asked !== '/v1/subscriptions') return;
      const [own] = stripe.subscriptionsOf(organizationId);
      delivered.push(await deliver(stripe.message('customer.subscription.created', stripe.shown(own!))));
    };
    expect((await upgrade(world)).status).toBe(201);
    expect(delivered).toEqual([200]);
    const [record, ...others] = await auditOf(test, organizationId, { action: 'subscription.updated' });
    expect(record).toMatchObject({ actor: { kind: 'member', id: world.ids.ownerUserId } });
    expect(others).toEqual([]);
    expect(
      await rowsOf(test, 'SELECT upgrade_by FROM billing_subscriptions WHERE organization_id = $1', [organizationId]),
    ).toEqual([{ upgrade_by: null }]);
  });

  it('needs no payment method where a coupon leaves nothing to pay', async () => {
    stripe.paymentMethod = 'none';
    const world = await World.create(test);
    await redeem(world, await makeCoupon(100));
    expect((await upgrade(world)).body).toMatchObject({ planType: 'advanced', hasPaymentMethod: false });
  });

  it('that cannot be paid says where to add a payment method, and continues once there is one', async () => {
    stripe.paymentMethod = 'none';
    const world = await World.create(test);
    expect((await read(world)).billingPortalUrl).toBeUndefined();
    const { status, body } = await upgrade(world);
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'payment_method_required' });
    expect(await read(world)).toMatchObject({
      planType: 'free',
      billingPortalAddPaymentMethodUrl: expect.stringContaining('payment_method_update'),
    });
    stripe.customerOf(world.ids.organizationId).paymentMethod = 'declined';
    expect((await upgrade(world)).body.code).toBe('payment_declined');
    expect(await auditOf(test, world.ids.organizationId, { action: 'subscription.updated' })).toEqual([]);
    stripe.customerOf(world.ids.organizationId).paymentMethod = 'good';
    expect((await upgrade(world)).body.planType).toBe('advanced');
    expect(stripe.subscriptionsOf(world.ids.organizationId)).toHaveLength(1);
  });

  it('raises a standard plan that is already paid, without a second subscription', async () => {
    const { world, own } = await subscribed();
    own.lookupKey = 'gatehouse_standard';
    expect(await deliver(stripe.message('customer.subscription.updated', stripe.shown(own)))).toBe(200);
    expect((await read(world)).planType).toBe('standard');
    expect((await upgrade(world)).body.planType).toBe('advanced');
    expect(stripe.subscriptionsOf(world.ids.organizationId)).toMatchObject([{ lookupKey: 'gatehouse_advanced' }]);
  });

  it('does not lower an enterprise plan sold by hand and unknown here', async () => {
    stripe.paymentMethod = 'none';
    const world = await World.create(test);
    expect((await upgrade(world)).status).toBe(422);
    const { id: customer } = stripe.customerOf(world.ids.organizationId);
    const own = { id: `sub_${customer}`, customer, lookupKey: 'gatehouse_enterprise', status: 'active', coupons: [] };
    stripe.subscriptions.set(own.id, own);
    const answer = await upgrade(world);
    expect([answer.status, answer.body.code]).toEqual([422, 'plan_not_upgradable']);
    expect(own.lookupKey).toBe('gatehouse_enterprise');
    expect((await read(world)).planType).toBe('enterprise');
  });

  it('is paid once although the response was lost', async () => {
    const world = await World.create(test);
    let lost = 0;
    stripe.after = ({ path: asked, method }) =>
      method === 'POST' && asked === '/v1/subscriptions' && lost++ < 3 ? 'drop' : undefined;
    const first = await upgrade(world);
    expect([503, 201]).toContain(first.status);
    expect((await upgrade(world)).body.planType).toBe('advanced');
    expect(lost).toBeGreaterThan(0);
    expect(stripe.subscriptionsOf(world.ids.organizationId)).toHaveLength(1);
  }, 120_000);

  it('is refused with 503 while Stripe fails, changes nothing, and reads still work', async () => {
    const world = await World.create(test);
    stripe.before = () => ({ status: 500, body: { error: { type: 'api_error', message: SECRET_KEY } } });
    const failed = await upgrade(world);
    expect(unavailable(failed)).toEqual(UNAVAILABLE);
    expect(JSON.stringify(failed.body)).not.toContain(SECRET_KEY);
    expect(await read(world)).toMatchObject({ planType: 'free' });
    stripe.before = () => null;
    expect((await upgrade(world)).status).toBe(201);
    stripe.before = () => ({ status: 500, body: {} });
    const shown = await read(world);
    expect(shown.planType).toBe('advanced');
    expect(shown).not.toHaveProperty('billingPortalUrl');
  }, 120_000);
});

describe('an upgrade at which Stripe itself fails, which it repeats for its key', () => {
  const failing = (question: string, moment: 'before' | 'after') => {
    stripe.failing = ({ method, path: asked }) => (method === 'POST' && asked === question ? moment : null);
  };

  it.each<[string, 'before' | 'after']>([
    ['/v1/subscriptions', 'before'],
    ['/v1/subscriptions', 'after'],
    ['/v1/customers', 'before'],
    ['/v1/customers', 'after'],
  ])('is one once Stripe is well again, and paid once: %s, %s it was done', async (question, moment) => {
    const world = await World.create(test);
    failing(question, moment);
    expect(unavailable(await upgrade(world))).toEqual(UNAVAILABLE);
    expect((await read(world)).planType).toBe('free');
    stripe.failing = () => null;
    expect((await upgrade(world)).body.planType).toBe('advanced');
    expect(liveOf(world)).toHaveLength(1);
  });

  it('is paid once by 20 concurrent requests during the failure and 20 after it', async () => {
    const world = await World.create(test);
    failing('/v1/subscriptions', 'before');
    const many = () => Promise.all(Array.from({ length: 20 }, () => upgrade(world)));
    expect(new Set((await many()).map(({ status }) => status))).toEqual(new Set([503]));
    stripe.failing = () => null;
    await many();
    expect((await upgrade(world)).status).toBe(201);
    expect(liveOf(world)).toHaveLength(1);
  }, 120_000);

  it('is one minutes after a coupon was redeemed, if the key was used without it and nothing was heard', async () => {
    const world = await World.create(test);
    stripe.paymentMethod = 'declined';
    stripe.after = ({ method, path: asked }) =>
      method === 'POST' && asked === '/v1/subscriptions' ? 'drop' : undefined;
    expect((await upgrade(world)).status).toBe(503);
    stripe.after = () => undefined;
    stripe.customerOf(world.ids.organizationId).paymentMethod = 'good';
    await redeem(world, await makeCoupon(50));
    for (let at = 0; at < 2; at++) expect(unavailable(await upgrade(world))).toEqual(UNAVAILABLE);
    expect(liveOf(world)).toHaveLength(0);
    await rowsOf(
      test,
      `UPDATE billing_subscriptions SET upgrade_blocked_at = upgrade_blocked_at - interval '5 minutes'
       WHERE organization_id = $1`,
      [world.ids.organizationId],
    );
    expect(unavailable(await upgrade(world))).toEqual(UNAVAILABLE);
    expect((await upgrade(world)).body.planType).toBe('advanced');
    expect(liveOf(world)).toHaveLength(1);
  }, 120_000);
});

describe('an upgrade that Stripe refuses before there is a subscription', () => {
  it.each(['/v1/customers', '/v1/prices'])('gets 503, and succeeds with the next try: %s', async (question) => {
    const world = await World.create(test);
    stripe.before = ({ path: asked }) => (asked.startsWith(question) ? REFUSED : null);
    expect(unavailable(await upgrade(world))).toEqual(UNAVAILABLE);
    stripe.before = () => null;
    expect((await upgrade(world)).body.planType).toBe('advanced');
    expect(stripe.subscriptionsOf(world.ids.organizationId)).toHaveLength(1);
  });
});

describe('an answer of the wrong form', () => {
  const CUSTOMER = { object: 'customer', id: 'cus_other', invoice_settings: {}, subscriptions: { data: [] } };

  it.each<[string, number, unknown]>([
    ['is no object', 200, 'fine'],
    ['is a list', 200, []],
    ['has none of the fields', 200, {}],
    ['is that of another customer', 200, CUSTOMER],
    ['sends us elsewhere', 302, CUSTOMER],
  ])(
    'is none of Stripe where it %s: every request is told so, and the next upgrade is one',
    async (_, status, body) => {
      const world = await World.create(test);
      for (const wrong of ['POST /v1/customers', 'GET /v1/customers/', 'GET /v1/prices']) {
        stripe.before = ({ method, path: asked }) =>
          `${method} ${asked}`.startsWith(wrong) ? { status, body: body as object } : null;
        const isOk = wrong === 'POST /v1/customers' && body === CUSTOMER && status === 200;
        if (!isOk) expect([wrong, unavailable(await upgrade(world))]).toEqual([wrong, UNAVAILABLE]);
      }
      stripe.before = () => null;
      expect((await upgrade(world)).body.planType).toBe('advanced');
      expect(stripe.subscriptionsOf(world.ids.organizationId)).toHaveLength(1);
    },
    60_000,
  );

  it('does not take a plan away that is paid for', async () => {
    const { world, own } = await subscribed();
    const { id } = stripe.customerOf(world.ids.organizationId);
    const { subscriptions: _, ...withoutSubscriptions } = { ...CUSTOMER, id };
    for (const body of [CUSTOMER, withoutSubscriptions, { ...CUSTOMER, id, subscriptions: null }]) {
      stripe.before = ({ path: asked }) => (asked.includes(id) ? { status: 200, body } : null);
      const message = stripe.message('customer.subscription.updated', { object: 'subscription', ...own });
      expect(await deliver(message)).toBe(503);
    }
    stripe.before = () => null;
    expect((await read(world)).planType).toBe('advanced');
  });
});

describe('what Stripe names', () => {
  it.each([
    ['has a NUL', 'cus_\0'],
    ['is empty', ''],
    ['is endless', `cus_${'x'.repeat(5_000)}`],
  ])('is no customer where its id %s: none is stored, and the next upgrade makes one', async (_, id) => {
    const world = await World.create(test);
    stripe.before = ({ method, path: asked }) =>
      method === 'POST' && asked === '/v1/customers' ? { status: 200, body: { object: 'customer', id } } : null;
    expect(unavailable(await upgrade(world))).toEqual(UNAVAILABLE);
    stripe.before = () => null;
    expect((await upgrade(world)).body.planType).toBe('advanced');
  });

  it.each<[string, unknown]>([
    ['a number', 7],
    ['an object', { href: 'https://billing.example.com/p' }],
    ['no address', 'soon'],
    ['a script', 'javascript:alert(1)'],
  ])('is no address of the portal where it is %s, and is left out', async (_, url) => {
    const { world } = await subscribed();
    stripe.before = ({ path: asked }) =>
      asked.startsWith('/v1/billing_portal') ? { status: 200, body: { object: 'billing_portal.session', url } } : null;
    const shown = await read(world);
    expect(shown).toMatchObject({ planType: 'advanced' });
    expect(shown).not.toHaveProperty('billingPortalUrl');
    expect(shown).not.toHaveProperty('billingPortalAddPaymentMethodUrl');
  });
});

describe('a coupon that takes something off', () => {
  it('is created at Stripe by the command, and sent with the first payment', async () => {
    const code = `CLI${randomBytes(4).toString('hex').toUpperCase()}`;
    const environment = {
      ...{ DATABASE_URL: test.databaseUrl, MASTER_KEY: test.masterKey, NODE_ENV: 'test' },
      ...settings,
    };
    const create = ['node', 'scripts/run.js', 'cli', 'billing', 'coupon', 'create', '--code', code];
    expect(await run([...create, '--percent-off', '25'], environment)).toMatchObject({ code: 0 });
    expect(stripe.coupons.get(code)).toEqual({ id: code, percent_off: 25, duration: 'forever' });
    const world = await World.create(test);
    await redeem(world, code);
    await upgrade(world);
    expect(stripe.subscriptionsOf(world.ids.organizationId)[0]!.coupons).toEqual([code]);
  }, 120_000);

  it('left by an earlier attempt is reused, and refused if it differs', async () => {
    const none = { trialDays: null, maxRedemptions: null, expiresAt: null };
    const create = (code: string) => test.app.get(BillingProvider).createCoupon({ ...none, code, percentOff: 30 });
    stripe.coupons.set('LEFT', { id: 'LEFT', percent_off: 30, duration: 'forever' });
    await expect(create('LEFT')).resolves.toBeUndefined();
    stripe.coupons.set('OTHER', { id: 'OTHER', percent_off: 31, duration: 'forever' });
    await expect(create('OTHER')).rejects.toMatchObject({ code: 'duplicate_exists' });
    expect(await rowsOf(test, "SELECT code FROM billing_coupons WHERE code = 'OTHER'")).toEqual([]);
  });

  it('deleted at Stripe does not keep those who redeemed it from the plan, also concurrently', async () => {
    const world = await World.create(test);
    const [gone, code] = [await makeCoupon(10), await makeCoupon(50)];
    for (const one of [gone, code]) await redeem(world, one);
    stripe.coupons.delete(gone);
    const answers = await Promise.all(Array.from({ length: 10 }, () => upgrade(world)));
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
    expect((await read(world)).planType).toBe('advanced');
    expect(stripe.subscriptionsOf(world.ids.organizationId)).toMatchObject([{ coupons: [code] }]);
  });

  it('reaches the subscription, as do all of eight redeemed concurrently', async () => {
    const { world, own } = await subscribed();
    const codes = await Promise.all(Array.from({ length: 8 }, () => makeCoupon(5)));
    await Promise.all(codes.map((code) => redeem(world, code)));
    expect(own.coupons.toSorted()).toEqual(codes.toSorted());
    expect((await read(world)).coupons).toHaveLength(8);
  }, 120_000);

  it('reaches the subscription with the next try when Stripe failed at the first', async () => {
    const { world, own } = await subscribed();
    const code = await makeCoupon(50);
    stripe.before = ({ path: asked }) => (asked.includes(own.id) ? { status: 500, body: {} } : null);
    const failed = await world.owner.put<Subscription>(path(world, '/subscription/coupon'), { coupon: code });
    expect(failed.status).toBe(503);
    stripe.before = () => null;
    await redeem(world, code);
    expect(own.coupons).toEqual([code]);
    expect(await rowsOf(test, 'SELECT redemptions FROM billing_coupons WHERE code = $1', [code])).toEqual([
      { redemptions: 1 },
    ]);
  }, 120_000);

  it('reaches the subscription beside one deleted at Stripe since, whose discount continues', async () => {
    const { world, own } = await subscribed();
    const [gone, code, another] = [await makeCoupon(10), await makeCoupon(50), await makeCoupon(5)];
    await redeem(world, gone);
    stripe.coupons.delete(gone);
    await redeem(world, code);
    expect(own.coupons).toEqual([gone, code]);
    await redeem(world, another);
    expect(own.coupons).toEqual([gone, code, another]);
    expect((await read(world)).coupons).toHaveLength(3);
  });

  it('is redeemed, and reaches the subscription with the next try, if it was missing at Stripe', async () => {
    const { world, own } = await subscribed();
    const code = await makeCoupon(50);
    const known = stripe.coupons.get(code)!;
    stripe.coupons.delete(code);
    const refused = await world.owner.put<Subscription>(path(world, '/subscription/coupon'), { coupon: code });
    expect(unavailable(refused)).toEqual(UNAVAILABLE);
    stripe.coupons.set(code, known);
    await redeem(world, code);
    expect(own.coupons).toEqual([code]);
  });

  it.each([400, 401, 403, 404, 409, 429, 500])(
    'gets 503 when Stripe answers %i to every request',
    async (status) => {
      const { world } = await subscribed();
      const code = await makeCoupon(50);
      stripe.before = () => ({ ...REFUSED, status });
      const refused = await world.owner.put<Subscription>(path(world, '/subscription/coupon'), { coupon: code });
      expect(unavailable(refused)).toEqual(UNAVAILABLE);
    },
    120_000,
  );
});

describe('a customer that was deleted at Stripe', () => {
  it('pays for nothing, and is replaced with the next upgrade, also concurrently', async () => {
    const { world, own } = await subscribed();
    stripe.customers.get(own.customer)!.deleted = true;
    own.status = 'canceled';
    expect(await deliver(stripe.message('customer.deleted', { id: own.customer, object: 'customer' }))).toBe(200);
    expect(await read(world)).toMatchObject({ planType: 'free', hasPaymentMethod: false });
    const answers = await Promise.all(Array.from({ length: 5 }, () => upgrade(world)));
    expect(answers.map(({ status }) => status)).toContain(201);
    const [made, ...more] = stripe.subscriptionsOf(world.ids.organizationId);
    expect([made!.customer === own.customer, more]).toEqual([false, []]);
    expect(await read(world)).toMatchObject({ planType: 'advanced', hasPaymentMethod: true });
    expect((await read(world)).billingPortalUrl).toContain('https://');
  });
});

describe('a customer of another account, as of the test mode before', () => {
  it('is replaced with the next upgrade, also concurrently', async () => {
    const world = await World.create(test);
    stripe.paymentMethod = 'none';
    expect((await upgrade(world)).body.code).toBe('payment_method_required');
    const { id } = stripe.customerOf(world.ids.organizationId);
    stripe.customers.delete(id);
    stripe.paymentMethod = 'good';
    const answers = await Promise.all(Array.from({ length: 5 }, () => upgrade(world)));
    expect(answers.map(({ status }) => status)).toContain(201);
    expect(await read(world)).toMatchObject({ planType: 'advanced', hasPaymentMethod: true });
    const [made, ...more] = stripe.subscriptionsOf(world.ids.organizationId);
    expect([made!.customer === id, more]).toEqual([false, []]);
  });

  it('takes no plan away: the keys may be those of another account by mistake', async () => {
    const { world, own } = await subscribed();
    const customer = stripe.customers.get(own.customer)!;
    stripe.customers.delete(own.customer);
    const message = stripe.message('customer.updated', { object: 'customer', id: own.customer });
    expect(await deliver(message)).toBe(503);
    stripe.customers.set(own.customer, customer);
    expect((await read(world)).planType).toBe('advanced');
  });
});

describe('a subscription that Stripe has given up', () => {
  /** Somebody whose card was refused until Stripe tried no more, and what is there at Stripe. */
  async function givenUp() {
    const { world, own } = await subscribed();
    own.status = 'unpaid';
    expect(await deliver(stripe.message('customer.subscription.updated', stripe.shown(own)))).toBe(200);
    expect(await read(world)).toMatchObject({ planType: 'free', shouldLockEnvironmentSwitch: true });
    const states = () => stripe.subscriptionsOf(world.ids.organizationId).map(({ status }) => status);
    return { world, own, states };
  }

  it('ends with the next upgrade, also concurrently: nobody pays for two', async () => {
    const { world, states } = await givenUp();
    const answers = await Promise.all(Array.from({ length: 5 }, () => upgrade(world)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(states()).toEqual(['canceled', 'active']);
    expect(await read(world)).toMatchObject({ planType: 'advanced', shouldLockEnvironmentSwitch: false });
  });

  it.each(['incomplete', 'paused'])('ends as well while it is %s: somebody could revive it later', async (status) => {
    const { world, own, states } = await givenUp();
    own.status = status;
    expect((await upgrade(world)).body.planType).toBe('advanced');
    expect(states()).toEqual(['canceled', 'active']);
  });

  it('stays, and remains due, if the upgrade cannot be paid', async () => {
    const { world, own, states } = await givenUp();
    stripe.customers.get(own.customer)!.paymentMethod = 'declined';
    expect((await upgrade(world)).status).toBe(422);
    expect(states()).toEqual(['unpaid']);
    expect(await read(world)).toMatchObject({ planType: 'free', shouldLockEnvironmentSwitch: true });
  });

  it('ends with the next try, when Stripe was away in between', async () => {
    const { world, states } = await givenUp();
    stripe.before = ({ method }) => (method === 'DELETE' ? { status: 500, body: {} } : null);
    expect((await upgrade(world)).status).toBe(503);
    expect(states()).toEqual(['unpaid', 'active']);
    stripe.before = () => null;
    expect((await upgrade(world)).status).toBe(201);
    expect(states()).toEqual(['canceled', 'active']);
  });
});

describe('a coupon that is redeemed while nobody here has heard of the subscription', () => {
  type Moment = 'after' | 'while';
  type Own = Awaited<ReturnType<typeof subscribed>>['own'];
  interface Unheard {
    world: World;
    own: Own;
    code: string;
  }

  /** An upgrade that Stripe has done and whose answer was lost, with a coupon redeemed after it or while it was made. */
  async function unheard(moment: Moment): Promise<Unheard> {
    const [world, code] = [await World.create(test), await makeCoupon(50)];
    stripe.after = async ({ path: asked, method }) => {
      // The last question before Stripe is asked to subscribe.
      if (moment === 'while' && asked === '/v1/prices') await redeem(world, code);
      return method === 'POST' && asked === '/v1/subscriptions' ? 'drop' : undefined;
    };
    expect((await upgrade(world)).status).toBe(503);
    stripe.after = () => undefined;
    if (moment === 'after') await redeem(world, code);
    expect(await read(world)).toMatchObject({ planType: 'free', coupons: [{ coupon: code }] });
    return { world, own: stripe.subscriptionsOf(world.ids.organizationId)[0]!, code };
  }
  const created = ({ own }: Unheard) => stripe.message('customer.subscription.created', stripe.shown(own));

  it.each<[string, Moment, (lost: Unheard) => Promise<number>, number]>([
    ['after it, with the next upgrade', 'after', async ({ world }) => (await upgrade(world)).status, 201],
    ['after it, with the message of Stripe', 'after', (lost) => deliver(created(lost)), 200],
    ['while it is made, with the next upgrade', 'while', async ({ world }) => (await upgrade(world)).status, 201],
    ['while it is made, with the message of Stripe', 'while', (lost) => deliver(created(lost)), 200],
  ])(
    'reaches it: %s',
    async (_, moment, hear, status) => {
      const lost = await unheard(moment);
      expect(lost.own.coupons).toEqual(moment === 'after' ? [lost.code] : []);
      expect(await hear(lost)).toBe(status);
      expect((await read(lost.world)).planType).toBe('advanced');
      expect(lost.own.coupons).toEqual([lost.code]);
      expect(stripe.subscriptionsOf(lost.world.ids.organizationId)).toHaveLength(1);
    },
    120_000,
  );

  it.each(['/v1/prices', '/v1/subscriptions'])(
    'reaches it when the upgrade is answered: redeemed after the request to %s',
    async (question) => {
      const [world, code] = [await World.create(test), await makeCoupon(50)];
      stripe.after = async ({ path: asked }) => {
        if (asked === question) await redeem(world, code);
      };
      expect((await upgrade(world)).status).toBe(201);
      expect(stripe.subscriptionsOf(world.ids.organizationId)).toMatchObject([{ coupons: [code] }]);
    },
  );

  it('reaches one sold by hand and raised by the upgrade', async () => {
    stripe.paymentMethod = 'none';
    const world = await World.create(test);
    expect((await upgrade(world)).status).toBe(422);
    const code = await makeCoupon(50);
    await redeem(world, code);
    const { id: customer } = stripe.customerOf(world.ids.organizationId);
    const own = { id: `sub_${customer}`, customer, lookupKey: 'gatehouse_standard', status: 'active', coupons: [] };
    stripe.subscriptions.set(own.id, own);
    expect((await upgrade(world)).body.planType).toBe('advanced');
    expect(own).toMatchObject({ lookupKey: 'gatehouse_advanced', coupons: [code] });
  });

  it('keeps the plan free until Stripe has applied it, so that the redelivered message counts', async () => {
    const lost = await unheard('while');
    const { world, own, code } = lost;
    stripe.before = ({ path: asked }) => (asked.includes(own.id) ? { status: 500, body: {} } : null);
    const message = created(lost);
    expect(await deliver(message)).toBe(503);
    expect((await read(world)).planType).toBe('free');
    stripe.before = () => null;
    expect(await deliver(message)).toBe(200);
    expect((await read(world)).planType).toBe('advanced');
    expect(own.coupons).toEqual([code]);
  }, 120_000);

  it('unknown to Stripe does not keep a paying customer from the plan', async () => {
    const lost = await unheard('while');
    stripe.coupons.delete(lost.code);
    expect(await deliver(created(lost))).toBe(200);
    expect((await read(lost.world)).planType).toBe('advanced');
  }, 120_000);

  it('is sent once: a subscription created with it does not get it again', async () => {
    const [world, code] = [await World.create(test), await makeCoupon(50)];
    await redeem(world, code);
    expect((await upgrade(world)).status).toBe(201);
    const [own] = stripe.subscriptionsOf(world.ids.organizationId);
    expect(own!.coupons).toEqual([code]);
    expect(stripe.seen.filter(({ path: asked }) => asked.includes(own!.id))).toEqual([]);
    expect(await deliver(stripe.message('customer.subscription.created', stripe.shown(own!)))).toBe(200);
    expect(stripe.seen.filter(({ path: asked }) => asked.includes(own!.id))).toEqual([]);
  });
});

describe('a message of Stripe that was lost', () => {
  it('about the end of a subscription keeps nobody on the advanced plan who upgrades', async () => {
    const { world, own } = await subscribed();
    own.status = 'canceled';
    expect((await upgrade(world)).body.planType).toBe('advanced');
    expect(liveOf(world)).toHaveLength(1);
  });

  it.each([
    ['payment', 'advanced', { lookupKey: 'gatehouse_advanced' }, 201],
    ['sale by hand', 'enterprise', { lookupKey: 'gatehouse_enterprise' }, 422],
  ])('about a %s is made up for by an upgrade', async (_, planType, sold, status) => {
    const { world, own } = await subscribed();
    own.status = 'past_due';
    const customer = { object: 'customer', id: own.customer };
    expect(await deliver(stripe.message('customer.updated', customer))).toBe(200);
    Object.assign(own, { status: 'active', ...sold });
    expect((await upgrade(world)).status).toBe(status);
    expect(await read(world)).toMatchObject({ planType, shouldLockEnvironmentSwitch: false });
    expect(liveOf(world)).toHaveLength(1);
  });

  it('does not keep the upgrade of somebody who has the plan from being a no-op while Stripe is away', async () => {
    const { world } = await subscribed();
    stripe.before = () => ({ status: 500, body: {} });
    expect((await upgrade(world)).body.planType).toBe('advanced');
  }, 60_000);
});

describe('a message of Stripe', () => {
  const INVOICE = (customer: string) => ({ object: 'invoice', id: 'in_1', customer });

  it('updates the state, and is recorded as done by the service', async () => {
    const { world, own } = await subscribed();
    own.status = 'past_due';
    expect(await deliver(stripe.message('invoice.payment_failed', INVOICE(own.customer)))).toBe(200);
    expect(await read(world)).toMatchObject({ planType: 'advanced', shouldLockEnvironmentSwitch: true });
    own.status = 'canceled';
    expect(await deliver(stripe.message('customer.subscription.deleted', stripe.shown(own)))).toBe(200);
    expect(await read(world)).toMatchObject({ planType: 'free', shouldLockEnvironmentSwitch: false });
    expect(await lastAudit(test, world.ids.organizationId, 'subscription.updated')).toMatchObject({
      actor: { kind: 'service' },
      changes: { planType: ['advanced', 'free'], shouldLockEnvironmentSwitch: [true, false] },
    });
    expect((await upgrade(world)).body.planType).toBe('advanced');
  });

  it('reports a payment method added or removed in the portal', async () => {
    const { world, own } = await subscribed();
    const customer = stripe.customerOf(world.ids.organizationId);
    customer.paymentMethod = 'none';
    expect(await deliver(stripe.message('customer.updated', { object: 'customer', id: own.customer }))).toBe(200);
    expect((await read(world)).hasPaymentMethod).toBe(false);
  });

  it('is processed once, of 20 concurrent ones and a later one', async () => {
    const { world, own } = await subscribed();
    own.status = 'past_due';
    const message = stripe.message('invoice.payment_failed', INVOICE(own.customer));
    const statuses = await Promise.all(Array.from({ length: 20 }, () => deliver(message)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await auditOf(test, world.ids.organizationId, { action: 'subscription.updated' })).toHaveLength(2);
    own.status = 'active';
    const asked = stripe.seen.length;
    expect(await deliver(message)).toBe(200);
    expect(stripe.seen).toHaveLength(asked);
    expect((await read(world)).shouldLockEnvironmentSwitch).toBe(true);
  });

  it('may arrive in any order: the latest state stays', async () => {
    const { world, own } = await subscribed();
    const history = ['past_due', 'unpaid', 'canceled', 'active', 'past_due'].map((status) =>
      stripe.message('customer.subscription.updated', { ...stripe.shown(own), status }),
    );
    own.status = 'active';
    for (const message of history.toReversed()) await deliver(message);
    expect(await read(world)).toMatchObject({ planType: 'advanced', shouldLockEnvironmentSwitch: false });
    expect(await auditOf(test, world.ids.organizationId, { action: 'subscription.updated' })).toHaveLength(1);
  });

  it('whose fetch began before another does not undo it if its response comes later', async () => {
    const { world, own } = await subscribed();
    own.status = 'past_due';
    const held = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    let isFirst = true;
    // What is answered is decided before it is held back.
    stripe.after = async ({ path: asked }) => {
      if (!asked.startsWith('/v1/customers/') || !isFirst) return;
      isFirst = false;
      reached.resolve();
      await held.promise;
    };
    const slow = deliver(stripe.message('invoice.payment_failed', INVOICE(own.customer)));
    await reached.promise;
    own.status = 'active';
    expect(await deliver(stripe.message('invoice.paid', INVOICE(own.customer)))).toBe(200);
    held.resolve();
    expect(await slow).toBe(200);
    expect((await read(world)).shouldLockEnvironmentSwitch).toBe(false);
  });

  it('is redelivered if Stripe is unavailable, and then counts', async () => {
    const { world, own } = await subscribed();
    own.status = 'past_due';
    const message = stripe.message('invoice.payment_failed', INVOICE(own.customer));
    stripe.before = () => ({ status: 500, body: {} });
    expect(await deliver(message)).toBe(503);
    stripe.before = () => null;
    expect(await deliver(message)).toBe(200);
    expect((await read(world)).shouldLockEnvironmentSwitch).toBe(true);
  }, 120_000);

  it('about an unknown customer or price is accepted and changes nothing', async () => {
    const { world, own } = await subscribed();
    const rows = async () => (await rowsOf<{ n: number }>(test, COUNT))[0]!.n;
    const COUNT = 'SELECT count(*)::int AS n FROM billing_provider_events';
    const before = await rows();
    expect(await deliver(stripe.message('invoice.paid', INVOICE('cus_nobody')))).toBe(200);
    expect(await deliver(stripe.message('price.created', { object: 'price', id: 'price_1' }))).toBe(200);
    expect(await rows()).toBe(before);
    own.lookupKey = 'somebody_elses';
    expect(await deliver(stripe.message('customer.subscription.updated', stripe.shown(own)))).toBe(200);
    expect((await read(world)).planType).toBe('free');
  });

  it.each<[string, object]>([
    ['names no data, as thin ones do', { object: 'v2.core.event', type: 'v1.customer.updated', data: undefined }],
    ['has data that is no object', { data: 'of another kind' }],
    ['has nothing in its data', { data: { object: null } }],
    ['has an id that cannot be stored', { id: 'evt_\0' }],
    ['has no id', { id: undefined }],
    ['has no type', { type: undefined }],
    ['names a customer that cannot be looked up', { data: { object: { object: 'invoice', customer: 'cus_\0' } } }],
  ])('that %s is accepted and changes nothing', async (_, changes) => {
    const { own } = await subscribed();
    const asked = stripe.seen.length;
    const refused = test.app.get(SecurityLog).count(SecurityEvent.ProofRefused);
    expect(await deliver(stripe.message('invoice.paid', INVOICE(own.customer), { changes }))).toBe(200);
    expect(stripe.seen).toHaveLength(asked);
    expect(test.app.get(SecurityLog).count(SecurityEvent.ProofRefused)).toBe(refused);
  });

  it.each<[string, number, (own: { customer: string }) => { body: string; headers: Record<string, string> }]>([
    ['300 seconds old', 200, (own) => stripe.message('invoice.paid', INVOICE(own.customer), { ageSeconds: 300 })],
    ['301 seconds old', 400, (own) => stripe.message('invoice.paid', INVOICE(own.customer), { ageSeconds: 301 })],
    [
      'signed with another secret',
      400,
      (own) => stripe.message('invoice.paid', INVOICE(own.customer), { secret: 'x' }),
    ],
    [
      'altered by one space',
      400,
      (own) => {
        const message = stripe.message('invoice.paid', INVOICE(own.customer));
        return { ...message, body: `${message.body} ` };
      },
    ],
    [
      'not signed',
      400,
      (own) => ({
        ...stripe.message('invoice.paid', INVOICE(own.customer)),
        headers: { 'content-type': 'application/json' },
      }),
    ],
    [
      'signed in another scheme',
      400,
      (own) => {
        const { body, headers } = stripe.message('invoice.paid', INVOICE(own.customer));
        return {
          body,
          headers: { ...headers, 'stripe-signature': headers['stripe-signature']!.replace('v1=', 'v2=') },
        };
      },
    ],
    ['not JSON', 400, () => ({ body: 'nothing', headers: { 'content-type': 'application/json' } })],
    ['empty', 400, () => ({ body: '', headers: { 'content-type': 'application/json' } })],
    ['longer than 256 KB', 413, () => ({ body: 'x'.repeat(262_145), headers: { 'content-type': 'application/json' } })],
  ])('%s is answered with %i', async (_name, status, make) => {
    const { world, own } = await subscribed();
    own.status = 'past_due';
    // Time stands still on both sides: a message is as old as it says, however long it is under way here.
    const now = Date.now();
    stripe.now = () => now;
    const standing = jest.spyOn(test.app.get(Clock), 'timestamp').mockReturnValue(now);
    const response = await fetch(`${test.url}/billing/stripe/messages`, { method: 'POST', ...make(own) });
    standing.mockRestore();
    expect(response.status).toBe(status);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await read(world)).shouldLockEnvironmentSwitch).toBe(status === 200);
  });
});

describe('without Stripe', () => {
  it('its messages are not accepted', async () => {
    const plain = await startTestApp({ databaseUrl: test.databaseUrl, env: { ROLE: 'api' } });
    const { body, headers } = stripe.message('invoice.paid', { object: 'invoice', customer: 'cus_1' });
    const { status } = await fetch(`${plain.url}/billing/stripe/messages`, { method: 'POST', body, headers });
    expect(status).toBe(404);
    await plain.close();
  });
});
