import type { EnvironmentId, OrganizationId } from './scope.js';
import { generatedStatement } from './statement.js';
import type { Transaction } from './transaction.js';

// A function answers in the order of its array, so all who take several take them in the order in which they name them.
const LOCK = generatedStatement(
  'tenants.lock',
  `SELECT pg_advisory_xact_lock(hashtextextended(what || ' of ' || $1::text, 0)) FROM unnest($2::text[]) AS what`,
  'deployment',
);

/**
 * Waits for everybody who does the same thing in the same tenant, until the transaction ends. The lock is named after
 * both and touches no row. Whoever takes several takes them in one order.
 */
export async function lockTenant(what: string, scope: EnvironmentId | OrganizationId, tx: Transaction): Promise<void> {
  await tx.execute(LOCK, [scope, [what]]);
}

/** The same for several things, by one statement. */
export async function lockTenantFor(
  things: Iterable<string>,
  scope: EnvironmentId | OrganizationId,
  tx: Transaction,
): Promise<void> {
  await tx.execute(LOCK, [scope, [...new Set(things)].sort()]);
}
