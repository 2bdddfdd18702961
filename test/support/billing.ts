import { randomBytes } from 'node:crypto';
import { BillingProvider } from '../../src/billing/index.js';
import type { OrganizationId } from '../../src/auth/index.js';
import { UnitOfWork } from '../../src/database/index.js';
import { UserIdentities } from '../../src/identity/index.js';
import { OrganizationsService } from '../../src/organizations/index.js';
import type { TestApp } from './app.js';
import type { BillingUnderTest } from './ports/billing-contract.js';
import { rowsOf } from './rows.js';
import { newEmail, type World } from './world.js';

/** A service's billing provider, in the form required by the port's contract. */
export function billingUnderTest(
  test: TestApp,
  { ids }: World,
  prepare: (organizationId: OrganizationId) => Promise<void> = async () => undefined,
): BillingUnderTest {
  return {
    provider: test.app.get(BillingProvider),
    organization: async () => {
      // A separate owner each time, since a user may have only a limited number of organizations.
      const name = `Org ${randomBytes(6).toString('hex')}`;
      const email = newEmail();
      const { userId } = await test.app
        .get(UnitOfWork)
        .run((tx) =>
          test.app
            .get(UserIdentities)
            .ensure(ids.consoleEnvironmentId, { kind: 'email', value: email }, { proven: false, draft: { email } }, tx),
        );
      const made = await test.app
        .get(UnitOfWork)
        .run((tx) =>
          test.app.get(OrganizationsService).createOrganization({ name, ownerUserId: userId }, { kind: 'service' }, tx),
        );
      await prepare(made.id);
      return made.id;
    },
    told: async (organizationId) =>
      (
        await rowsOf<{ name: string }>(
          test,
          `SELECT name FROM events WHERE environment_id = $1 AND resource_id = $2
             AND name IN ('subscription.updated', 'coupon.redeemed') ORDER BY created_at, id`,
          [ids.consoleEnvironmentId, organizationId],
        )
      ).map(({ name }) => name),
    redemptions: async (code) =>
      (
        await rowsOf<{ redemptions: number }>(test, 'SELECT redemptions FROM billing_coupons WHERE code = $1', [code])
      )[0]!.redemptions,
    expire: async (code) => {
      await rowsOf(test, "UPDATE billing_coupons SET expires_at = now() - interval '1 ms' WHERE code = $1", [code]);
    },
  };
}
