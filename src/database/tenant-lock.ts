import type { EnvironmentId, OrganizationId } from './scope.js';
import { generatedStatement } from './statement.js';
import type { Transaction } from './transaction.js';

// `unnest` keeps the array's order, so callers take several locks in the order in which they list them.
const LOCK = generatedStatement(
  'tenants.lock',
  `SELECT pg_advisory_xact_lock(hashtextextended(what || ' of ' || $1::text, 0)) FROM unnest($2::text[]) AS what`,
  'deployment',
);

/**
 * Waits until no other transaction does the same in the same tenant, and locks until this transaction ends. An advisory
 * lock named after both, which locks no row. Several must be taken in one fixed order.
 */
export async function lockTenant(what: string, scope: EnvironmentId | OrganizationId, tx: Transaction): Promise<void> {
  await tx.execute(LOCK, [scope, [what]]);
}

/** The same for several locks, in one statement. */
export async function lockTenantFor(
  things: Iterable<string>,
  scope: EnvironmentId | OrganizationId,
  tx: Transaction,
): Promise<void> {
  await tx.execute(LOCK, [scope, [...new Set(things)].sort()]);
}
