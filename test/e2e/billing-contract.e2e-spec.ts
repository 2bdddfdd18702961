import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BillingProvider, type BillingAccount, type NewCoupon } from '../../src/billing/index.js';
import { BuiltInBilling } from '../../src/billing/built-in-billing.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { billingUnderTest } from '../support/billing.js';
import { BILLING_CONTRACT, type BillingUnderTest } from '../support/ports/billing-contract.js';
import { World } from '../support/world.js';

let test: TestApp;
let world: World;

beforeAll(async () => {
  test = await sharedTestApp();
  world = await World.create(test);
});
afterAll(() => test.close());

describe('the built-in billing', () => {
  it.each(BILLING_CONTRACT)('$sentence', async ({ verify }) => {
    const subject = billingUnderTest(test, world);
    expect(subject.provider).toBeInstanceOf(BuiltInBilling);
    await expect(verify(subject)).resolves.toBeUndefined();
  });
});

/** Looks first and writes later, asks for nothing and refuses nothing: every promise that can be broken is. */
class CarelessBilling extends BillingProvider {
  override readonly takesPayments = false;
  readonly accounts = new Map<string, BillingAccount>();
  readonly told: string[] = [];

  override async createCoupon(_coupon: NewCoupon): Promise<void> {}

  override async read(organizationId: string): Promise<BillingAccount> {
    const fresh: BillingAccount = {
      plan: 'free',
      trialStart: new Date(),
      trialEnd: new Date(),
      hasPaymentMethod: false,
      paymentOverdue: false,
      customerId: null,
      upgradeAttempt: 0,
      upgradeBy: null,
      activeUsers: 0,
      coupons: [],
    };
    const account = this.accounts.get(organizationId) ?? fresh;
    this.accounts.set(organizationId, account);
    return account;
  }

  override async links(): Promise<object> {
    return {};
  }

  override async redeem(organizationId: string, code: string): Promise<void> {
    (await this.read(organizationId)).coupons.push(code);
  }

  override async upgrade(organizationId: string): Promise<void> {
    (await this.read(organizationId)).plan = 'advanced';
    this.told.push(organizationId);
  }
}

describe('the contract of billing', () => {
  it('is violated by a careless provider, except for rules that only a careful one can violate', async () => {
    const provider = new CarelessBilling();
    const subject: BillingUnderTest = {
      ...billingUnderTest(test, world),
      provider,
      told: async (id) => provider.told.filter((told) => told === id),
      redemptions: async () => 100,
      expire: async () => undefined,
    };
    const kept: string[] = [];
    for (const { sentence, verify } of BILLING_CONTRACT) {
      await verify(subject).then(
        () => kept.push(sentence),
        () => undefined,
      );
    }
    expect(kept).toEqual(['keeps coupons and the trial when it moves to another plan']);
  });
});
