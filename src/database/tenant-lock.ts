import type { EnvironmentId, OrganizationId } from './scope.js';
import { generatedStatement } from './statement.js';
import type { Transaction } from './transaction.js';

const LOCK = generatedStatement(
  'tenants.lock',
  `SELECT pg_advisory_xact_lock(hashtextextended($2::text || ' of ' || $1::text, 0))`,
  'deployment',
);

/**
 * Waits for everybody who does the same thing in the same tenant, until the transaction ends. The lock is named after
 * both and touches no row. Whoever takes several takes them in one order.
 */
export async function lockTenant(what: string, scope: EnvironmentId | OrganizationId, tx: Transaction): Promise<void> {
  await tx.execute(LOCK, [scope, what]);
}
