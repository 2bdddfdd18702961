import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { PLAN_SCOPES, PLANS_VERSION } from '../../src/billing/plans.js';
import { CouponsRepository } from '../../src/billing/coupons/coupons.repository.js';
import { Clock } from '../../src/common/clock.js';
import { UnitOfWork } from '../../src/database/index.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { auditOf, lastAudit } from '../support/audit.js';
import type { Answer } from '../support/client.js';
import { roomInDay } from '../support/room-in-day.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { command } from '../support/operator.js';
import { run } from '../support/service-process.js';
import { Tenant } from '../support/surface/tenant.js';
import { World } from '../support/world.js';

interface Subscription {
  planType: string;
  inTrial: boolean;
  scope: string[];
  trialStart: string;
  trialEnd: string;
  trialDaysLeft: number;
  currentBillingPeriod: { startDate: string; endDate: string; usagesCount: number };
  coupons: { coupon: string }[];
  code?: string;
}

let test: TestApp;

beforeAll(async () => {
  test = await sharedTestApp();
});
afterAll(() => test.close());

const path = ({ ids }: World, rest: string): string => `/organizations/${ids.organizationId}/billing${rest}`;
const read = async (world: World): Promise<Subscription> =>
  (await world.owner.get<Subscription>(path(world, '/subscription'), { expect: 200 })).body;
const redeem = (world: World, coupon: unknown): Promise<Answer<Subscription>> =>
  world.owner.put<Subscription>(path(world, '/subscription/coupon'), { coupon });

async function coupon(set: Record<string, unknown> = { trial_days: 7 }): Promise<string> {
  const code = `T${randomBytes(6).toString('hex').toUpperCase()}`;
  const names = Object.keys(set);
  await rowsOf(
    test,
    `INSERT INTO billing_coupons (code${names.map((name) => `, ${name}`).join('')})
     VALUES ($1${names.map((_, at) => `, $${at + 2}`).join('')})`,
    [code, ...Object.values(set)],
  );
  return code;
}

/** Moves the creation of the organization, and with it the trial. */
const setAge = ({ ids }: World, age: string): Promise<object[]> =>
  rowsOf(test, `UPDATE organizations SET created_at = now() - interval '${age}' WHERE id = $1`, [ids.organizationId]);

describe('the subscription of a new organization', () => {
  it('is free, with a trial of what the advanced plan covers', async () => {
    await roomInDay();
    const world = await World.create(test);
    const { trialStart, trialEnd, currentBillingPeriod, ...rest } = await read(world);
    expect(rest).toEqual({
      hasPaymentMethod: false,
      planType: 'free',
      inTrial: true,
      scope: PLAN_SCOPES.advanced,
      trialDaysLeft: 14,
      version: PLANS_VERSION,
      shouldLockEnvironmentSwitch: false,
      coupons: [],
    });
    expect(Date.parse(trialEnd) - Date.parse(trialStart)).toBe(14 * 86_400_000);
    const now = new Date();
    const month = (offset: number): string =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString();
    expect(currentBillingPeriod).toEqual({ startDate: month(0), endDate: month(1), usagesCount: 0 });
  });

  it.each([
    ['0 s', true, 14],
    ['13 days 59 s', true, 1],
    ['13 days 23 h 59 min', true, 1],
    ['14 days', false, 0],
    ['40 days', false, 0],
  ])('is in trial after %s: %s, with %i days left', async (age, inTrial, trialDaysLeft) => {
    const world = await World.create(test);
    await setAge(world, age);
    const scope = PLAN_SCOPES[inTrial ? 'advanced' : 'free'];
    expect(await read(world)).toMatchObject({ planType: 'free', inTrial, trialDaysLeft, scope });
  });

  it('is for owners only, and reading it writes nothing', async () => {
    const tenant = await Tenant.create(test);
    const { world } = tenant;
    await read(world);
    const rows = await rowsOf(test, 'SELECT 1 FROM billing_subscriptions WHERE organization_id = $1', [
      world.ids.organizationId,
    ]);
    expect(rows).toEqual([]);
    for (const role of ['viewer', 'developer', 'admin'] as const) {
      const { token } = await tenant.addMember(role);
      await world.anonymous.get(path(world, '/subscription'), { token, expect: 403 });
      await world.anonymous.put(path(world, '/upgrade'), undefined, { token, expect: 403 });
    }
    const stranger = await World.create(test);
    await stranger.owner.get(path(world, '/subscription'), { expect: 404 });
    await world.api.get(path(world, '/subscription'), { expect: 403 });
    await tenant.close();
  });
});

describe('an upgrade', () => {
  it('moves to the advanced plan, ends the trial, and is recorded with who did it', async () => {
    const world = await World.create(test);
    const { body } = await world.owner.put<Subscription>(path(world, '/upgrade'), undefined, { expect: 201 });
    expect(body).toMatchObject({ planType: 'advanced', inTrial: false, trialDaysLeft: 0, scope: PLAN_SCOPES.advanced });
    expect(await read(world)).toEqual(body);
    const { organizationId, ownerUserId, consoleEnvironmentId } = world.ids;
    expect(await lastAudit(test, organizationId, 'subscription.updated')).toMatchObject({
      actor: { kind: 'member', id: ownerUserId },
      resourceType: 'subscription',
      resourceId: organizationId,
      changes: { planType: ['free', 'advanced'], inTrial: [true, false] },
    });
    const event = (await eventsOf(test, consoleEnvironmentId, organizationId)).at(-1);
    expect(event).toMatchObject({ name: 'subscription.updated', data: { organizationId, planType: 'advanced' } });
  });

  it('changes nothing and records nothing on the advanced plan', async () => {
    const world = await World.create(test);
    for (let at = 0; at < 3; at++) await world.owner.put(path(world, '/upgrade'), undefined, { expect: 201 });
    expect(await auditOf(test, world.ids.organizationId, { action: 'subscription.updated' })).toHaveLength(1);
  });

  it('raises the standard plan and does not lower the enterprise plan', async () => {
    const world = await World.create(test);
    const plan = (to: string): Promise<object[]> =>
      rowsOf(
        test,
        `INSERT INTO billing_subscriptions (organization_id, plan, trial_end) VALUES ($1, $2, now())
         ON CONFLICT (organization_id) DO UPDATE SET plan = excluded.plan`,
        [world.ids.organizationId, to],
      );
    await plan('standard');
    expect(await read(world)).toMatchObject({ planType: 'standard', scope: PLAN_SCOPES.standard, inTrial: false });
    await world.owner.put(path(world, '/upgrade'), undefined, { expect: 201 });
    await plan('enterprise');
    const { body } = await world.owner.put<Subscription>(path(world, '/upgrade'), undefined, { expect: 422 });
    expect(body.code).toBe('plan_not_upgradable');
    expect((await read(world)).planType).toBe('enterprise');
  });
});

describe('a coupon', () => {
  it('is named to whoever takes payments if it takes something off, not if it lengthens the trial', async () => {
    const [{ ids }, other] = [await World.create(test), await World.create(test)];
    const coupons = test.app.get(CouponsRepository, { strict: false });
    const [longer, cheaper] = [`LONGER-${ids.organizationId}`, `CHEAPER-${ids.organizationId}`];
    const open = { maxRedemptions: null, expiresAt: null };
    await coupons.insert({ code: longer, trialDays: 7, percentOff: null, ...open });
    await coupons.insert({ code: cheaper, trialDays: null, percentOff: 20, ...open });
    for (const code of [longer, cheaper])
      await test.app.get(UnitOfWork).run((tx) => coupons.redeem(ids.organizationId, code, tx));
    expect(await coupons.listDiscounts(ids.organizationId)).toEqual([cheaper]);
    expect(await coupons.listDiscounts(other.ids.organizationId)).toEqual([]);
  });

  it('adds days to the trial and is recorded', async () => {
    const world = await World.create(test);
    const before = await read(world);
    const code = await coupon({ trial_days: 30 });
    const { status, body } = await redeem(world, code.toLowerCase());
    expect({ status, coupons: body.coupons, left: body.trialDaysLeft }).toEqual({
      status: 200,
      coupons: [{ coupon: code }],
      left: 44,
    });
    const record = await lastAudit(test, world.ids.organizationId, 'coupon.redeemed');
    expect(record).toMatchObject({
      actor: { kind: 'member' },
      changes: { trialEnd: [before.trialEnd, body.trialEnd], coupons: [[], [{ coupon: code }]] },
    });
    const event = (await eventsOf(test, world.ids.consoleEnvironmentId, world.ids.organizationId)).at(-1);
    expect(event).toMatchObject({ name: 'coupon.redeemed', data: { coupons: [{ coupon: code }] } });
  });

  it('restarts an ended trial', async () => {
    const world = await World.create(test);
    await setAge(world, '100 days');
    const { body } = await redeem(world, await coupon({ trial_days: 3 }));
    expect(body).toMatchObject({ inTrial: true, trialDaysLeft: 3 });
  });

  it('restarts it by the clock of the database, though that of the instance is ahead', async () => {
    const world = await World.create(test);
    await setAge(world, '100 days');
    const code = await coupon({ trial_days: 3 });
    const ahead = jest.spyOn(test.app.get(Clock), 'now').mockReturnValue(new Date(Date.now() + 600_000));
    const { body } = await redeem(world, code).finally(() => ahead.mockRestore());
    const [row] = await rowsOf<{ left: number }>(
      test,
      'SELECT extract(epoch FROM $1::timestamptz - now())::float8 AS left',
      [body.trialEnd],
    );
    expect(row!.left).toBeLessThanOrEqual(3 * 86_400);
  });

  it('counts once when it is sent 100 times concurrently', async () => {
    const world = await World.create(test);
    const code = await coupon({ trial_days: 5 });
    const answers = await Promise.all(Array.from({ length: 100 }, () => redeem(world, code)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await read(world)).toMatchObject({ coupons: [{ coupon: code }], trialDaysLeft: 19 });
    expect(await rowsOf(test, 'SELECT redemptions FROM billing_coupons WHERE code = $1', [code])).toEqual([
      { redemptions: 1 },
    ]);
    expect(await auditOf(test, world.ids.organizationId, { action: 'coupon.redeemed' })).toHaveLength(1);
  }, 120_000);

  it('is one of twenty at most, however many are redeemed at once', async () => {
    const world = await World.create(test);
    const codes = await Promise.all(Array.from({ length: 24 }, () => coupon({ trial_days: 1 })));
    const answers = await Promise.all(codes.map((code) => redeem(world, code)));
    const refused = answers.filter(({ status }) => status !== 200).map(({ status, body }) => [status, body.code]);
    expect(refused).toEqual(Array.from({ length: 4 }, () => [422, 'too_many_coupons']));
    expect((await read(world)).coupons).toHaveLength(20);
    const taken = 'SELECT sum(redemptions)::int AS redemptions FROM billing_coupons WHERE code = ANY ($1)';
    expect(await rowsOf(test, taken, [codes])).toEqual([{ redemptions: 20 }]);
  });

  it.each([
    ['coupon_unknown', async () => 'NOBODY-MADE-THIS'],
    ['coupon_expired', () => coupon({ trial_days: 1, expires_at: new Date(Date.now() - 1000) })],
    ['coupon_exhausted', () => coupon({ trial_days: 1, max_redemptions: 2, redemptions: 2 })],
  ])('is refused with %s, and nothing is written', async (code, make) => {
    const world = await World.create(test);
    const { status, body } = await redeem(world, await make());
    expect({ status, code: body.code }).toEqual({ status: 422, code });
    expect((await read(world)).coupons).toEqual([]);
    expect(
      await rowsOf(test, 'SELECT 1 FROM billing_subscriptions WHERE organization_id = $1', [world.ids.organizationId]),
    ).toEqual([]);
    expect(await auditOf(test, world.ids.organizationId, { action: 'coupon.redeemed' })).toEqual([]);
  });

  it.each([
    ['an empty text', '', 400],
    ['one character', 'x', 422],
    ['255 characters', 'x'.repeat(255), 422],
    ['256 characters', 'x'.repeat(256), 400],
    ['a number', 7, 400],
  ])('that is %s is refused with a reason', async (_name, text, status) => {
    expect((await redeem(await World.create(test), text)).status).toBe(status);
  });
});

describe('the command that makes coupons', () => {
  const create = (...words: string[]) => command(test.app, 'billing', 'coupon', 'create', ...words);

  it('creates one that can be redeemed, once per code', async () => {
    const code = `cli-${randomBytes(4).toString('hex')}`;
    const words = ['--code', code, '--trial-days', '9', '--max-redemptions', '1', '--expires', '2100-01-01'];
    const settings = { DATABASE_URL: test.databaseUrl, MASTER_KEY: test.masterKey, NODE_ENV: 'test' };
    const made = await run(['node', 'scripts/run.js', 'cli', 'billing', 'coupon', 'create', ...words], settings);
    expect(made).toMatchObject({ code: 0, stdout: `coupon  ${code.toUpperCase()}\n` });
    expect(await create(...words)).toMatchObject({ code: 1, stderr: 'There is a coupon with this code.\n' });
    const { body } = await redeem(await World.create(test), code);
    expect(body.trialDaysLeft).toBe(23);
    expect((await redeem(await World.create(test), code)).body.code).toBe('coupon_exhausted');
  }, 120_000);

  it('says what is wrong with its arguments', async () => {
    const mistakes: [string[], string][] = [
      [['--trial-days', '1'], '--code is missing.'],
      [['--code', 'a b', '--trial-days', '1'], '--code must be 3 to 64 letters'],
      [['--code', 'GOOD', '--trial-days', '366'], '--trial-days must be a whole number from 1 to 365.'],
      [['--code', 'GOOD', '--trial-days', '1', '--expires', '2020-01-01'], '--expires must be a time in the future'],
      [['--code', 'GOOD', '--trial-days', '1', '--expires', '2100-02-30'], '--expires must be a time in the future'],
      [['--code', 'GOOD', '--trial-days', '1', '--expires', '2100-02-31T10:00:00Z'], '--expires must be a time in'],
      [['--code', 'GOOD'], 'A coupon needs --trial-days or --percent-off.'],
      [['--code', 'GOOD', '--percent-off', '10'], 'set STRIPE_SECRET_KEY'],
    ];
    for (const [words, says] of mistakes) {
      const { code, stderr } = await create(...words);
      expect({ words, code, stderr }).toEqual({ words, code: 1, stderr: expect.stringContaining(says) });
    }
  }, 120_000);
});
