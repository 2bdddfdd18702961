import { deepStrictEqual, ok, rejects } from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { mintOrganizationId, type OrganizationId } from '../../../src/auth/index.js';
import type { BillingAccount, BillingProvider, NewCoupon } from '../../../src/billing/index.js';
import { ApiError } from '../../../src/common/errors/index.js';
import { SERVICE } from '../../../src/organizations/index.js';

/** An adapter under test. */
export interface BillingUnderTest {
  provider: BillingProvider;
  /** A new organization that can pay if it has to. */
  organization(): Promise<OrganizationId>;
  /** Names of the subscription's events, in order. */
  told(organizationId: OrganizationId): Promise<string[]>;
  /** The number of redemptions of a coupon, by its own counter. */
  redemptions(code: string): Promise<number>;
  /** Makes a coupon expire. */
  expire(code: string): Promise<void>;
}

export interface BillingRule {
  /** A rule that holds for every adapter of the port. */
  sentence: string;
  /** Throws if the rule is violated. */
  verify(subject: BillingUnderTest): Promise<void>;
}

const DAY_MS = 86_400_000;

const NO_EFFECT = { trialDays: null, percentOff: null, maxRedemptions: null, expiresAt: null };

async function makeCoupon({ provider }: BillingUnderTest, coupon: Partial<NewCoupon> = {}): Promise<string> {
  const code = `C${randomBytes(6).toString('hex').toUpperCase()}`;
  await provider.createCoupon({ ...NO_EFFECT, trialDays: 7, ...coupon, code });
  return code;
}

const trialDays = ({ trialStart, trialEnd }: BillingAccount): number =>
  Math.round((trialEnd.getTime() - trialStart.getTime()) / DAY_MS);

const refused = (work: Promise<unknown>, code: string): Promise<void> =>
  rejects(work, (error) => error instanceof ApiError && error.code === code);

const times = <T>(count: number, work: (at: number) => Promise<T>): Promise<PromiseSettledResult<T>[]> =>
  Promise.allSettled(Array.from({ length: count }, (_, at) => work(at)));

const fulfilled = (results: readonly PromiseSettledResult<unknown>[]): number =>
  results.filter(({ status }) => status === 'fulfilled').length;

/** The contract of `BillingProvider`. Run it with `it.each` against a real adapter. */
export const BILLING_CONTRACT: readonly BillingRule[] = [
  {
    sentence: 'begins with the free plan and a trial of 14 days',
    verify: async ({ provider, organization }) => {
      const account = await provider.read(await organization());
      const { plan, coupons, paymentOverdue, activeUsers } = account;
      deepStrictEqual(
        { plan, coupons, paymentOverdue, activeUsers, days: trialDays(account) },
        { plan: 'free', coupons: [], paymentOverdue: false, activeUsers: 0, days: 14 },
      );
    },
  },
  {
    sentence: 'knows no organization that there is not',
    verify: async (subject) => {
      const { provider } = subject;
      const nobody = mintOrganizationId(randomUUID());
      const code = await makeCoupon(subject);
      await refused(provider.read(nobody), 'not_found');
      await refused(provider.redeem(nobody, code, SERVICE), 'not_found');
      await refused(provider.upgrade(nobody, SERVICE), 'not_found');
      deepStrictEqual(await subject.redemptions(code), 0);
    },
  },
  {
    sentence: 'moves to the advanced plan, and to be moved again changes nothing',
    verify: async ({ provider, organization, told }) => {
      const [one, other] = [await organization(), await organization()];
      await provider.upgrade(one, SERVICE);
      await provider.upgrade(one, SERVICE);
      deepStrictEqual((await provider.read(one)).plan, 'advanced');
      deepStrictEqual((await provider.read(other)).plan, 'free');
      deepStrictEqual([await told(one), await told(other)], [['subscription.updated'], []]);
    },
  },
  {
    sentence: 'moves once when it is asked 50 times at once',
    verify: async ({ provider, organization, told }) => {
      const id = await organization();
      deepStrictEqual(fulfilled(await times(50, () => provider.upgrade(id, SERVICE))), 50);
      deepStrictEqual((await provider.read(id)).plan, 'advanced');
      deepStrictEqual(await told(id), ['subscription.updated']);
    },
  },
  {
    sentence: 'counts a coupon once that is redeemed 100 times at once',
    verify: async (subject) => {
      const { provider, organization, told, redemptions } = subject;
      const [id, code] = [await organization(), await makeCoupon(subject)];
      deepStrictEqual(fulfilled(await times(100, () => provider.redeem(id, code, SERVICE))), 100);
      const account = await provider.read(id);
      deepStrictEqual([account.coupons, trialDays(account)], [[code], 21]);
      deepStrictEqual([await redemptions(code), await told(id)], [1, ['coupon.redeemed']]);
    },
  },
  {
    sentence: 'gives a coupon for three organizations to three of 25 that redeem it at once',
    verify: async (subject) => {
      const { provider, organization, redemptions } = subject;
      const code = await makeCoupon(subject, { maxRedemptions: 3 });
      const ids: OrganizationId[] = [];
      for (let at = 0; at < 25; at++) ids.push(await organization());
      const results = await times(25, (at) => provider.redeem(ids[at]!, code, SERVICE));
      const lost = results.flatMap((each) => (each.status === 'rejected' ? [(each.reason as ApiError).code] : []));
      deepStrictEqual([fulfilled(results), new Set(lost)], [3, new Set(['coupon_exhausted'])]);
      const accounts = await Promise.all(ids.map((id) => provider.read(id)));
      deepStrictEqual(accounts.filter(({ coupons }) => coupons.length > 0).length, 3);
      deepStrictEqual(await redemptions(code), 3);
    },
  },
  {
    sentence: 'redeems a coupon to the last, and again for whoever has it',
    verify: async (subject) => {
      const { provider, organization } = subject;
      const [first, second] = [await organization(), await organization()];
      const code = await makeCoupon(subject, { maxRedemptions: 1 });
      await provider.redeem(first, code, SERVICE);
      await refused(provider.redeem(second, code, SERVICE), 'coupon_exhausted');
      await provider.redeem(first, code, SERVICE);
      deepStrictEqual((await provider.read(second)).coupons, []);
    },
  },
  {
    sentence: 'refuses unknown and expired coupons, and changes nothing then',
    verify: async (subject) => {
      const { provider, organization, told, redemptions } = subject;
      const [id, code] = [await organization(), await makeCoupon(subject)];
      await subject.expire(code);
      await refused(provider.redeem(id, code, SERVICE), 'coupon_expired');
      await refused(provider.redeem(id, 'NO-SUCH-COUPON', SERVICE), 'coupon_unknown');
      const account = await provider.read(id);
      deepStrictEqual([account.coupons, trialDays(account), await told(id)], [[], 14, []]);
      deepStrictEqual(await redemptions(code), 0);
    },
  },
  {
    sentence: 'tells codes apart without regard to case or spaces around them',
    verify: async (subject) => {
      const { provider, organization } = subject;
      const [id, code] = [await organization(), await makeCoupon(subject)];
      await provider.redeem(id, ` ${code.toLowerCase()} `, SERVICE);
      await provider.redeem(id, code, SERVICE);
      deepStrictEqual((await provider.read(id)).coupons, [code]);
      await refused(provider.createCoupon({ ...NO_EFFECT, trialDays: 1, code }), 'duplicate_exists');
    },
  },
  {
    sentence: 'takes 20 coupons for an organization and no more, and lists them in their order',
    verify: async (subject) => {
      const { provider, organization, redemptions } = subject;
      const id = await organization();
      const codes: string[] = [];
      for (let at = 0; at < 21; at++) codes.push(await makeCoupon(subject, { trialDays: 1 }));
      const last = codes.pop()!;
      for (const code of codes) await provider.redeem(id, code, SERVICE);
      await refused(provider.redeem(id, last, SERVICE), 'too_many_coupons');
      await provider.redeem(id, codes[0]!, SERVICE);
      deepStrictEqual([(await provider.read(id)).coupons, await redemptions(last)], [codes, 0]);
    },
  },
  {
    sentence: 'keeps coupons and the trial when it moves to another plan',
    verify: async (subject) => {
      const { provider, organization } = subject;
      const [id, code] = [await organization(), await makeCoupon(subject)];
      await provider.redeem(id, code, SERVICE);
      const before = await provider.read(id);
      await provider.upgrade(id, SERVICE);
      const after = await provider.read(id);
      ok(after.plan === 'advanced');
      deepStrictEqual([after.coupons, after.trialEnd], [before.coupons, before.trialEnd]);
    },
  },
];
