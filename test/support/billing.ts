import { randomBytes } from 'node:crypto';
import { BillingProvider } from '../../src/billing/index.js';
import type { OrganizationId } from '../../src/auth/index.js';
import { OrganizationsService } from '../../src/organizations/index.js';
import type { TestApp } from './app.js';
import type { BillingUnderTest } from './ports/billing-contract.js';
import { rowsOf } from './rows.js';
import type { World } from './world.js';

/** The provider of a service, as the contract of the port asks for it. */
export function billingUnderTest(
  test: TestApp,
  { ids }: World,
  prepare: (organizationId: OrganizationId) => Promise<void> = async () => undefined,
): BillingUnderTest {
  return {
    provider: test.app.get(BillingProvider),
    organization: async () => {
      const name = `Org ${randomBytes(6).toString('hex')}`;
      const made = await test.app.get(OrganizationsService).createOrganization({ name, ownerUserId: ids.ownerUserId });
      await prepare(made.id);
      return made.id;
    },
    told: async (organizationId) =>
      (
        await rowsOf<{ name: string }>(
          test,
          `SELECT name FROM events WHERE environment_id = $1 AND resource_id = $2 ORDER BY created_at, id`,
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
