import type { TestApp } from './app.js';
import { rowsOf } from './rows.js';

export interface AuditedChange {
  sequence: number;
  /** `{ kind, id?, tokenId? }` */
  actor: Record<string, string>;
  action: string;
  resourceType: string;
  resourceId: string;
  environmentId: string | null;
  /** What changed, by field: `[before, after]`. */
  changes: Record<string, [before: unknown, after: unknown]>;
}

type Row = Omit<AuditedChange, 'changes' | 'sequence'> & {
  sequence: string;
  changes: { field: string; before: unknown; after: unknown }[];
};

/** The audit records of an organization in order, or those with one action or about one resource. */
export async function auditOf(
  test: TestApp,
  organizationId: string,
  { action, resourceId }: { action?: string; resourceId?: string } = {},
): Promise<AuditedChange[]> {
  const rows = await rowsOf<Row>(
    test,
    `SELECT sequence, actor, action, resource_type AS "resourceType", resource_id AS "resourceId",
       environment_id AS "environmentId", changes FROM audit_records
     WHERE organization_id = $1 AND ($2::text IS NULL OR action = $2) AND ($3::text IS NULL OR resource_id = $3)
     ORDER BY sequence`,
    [organizationId, action ?? null, resourceId ?? null],
  );
  return rows.map((row) => ({
    ...row,
    sequence: Number(row.sequence),
    changes: Object.fromEntries(row.changes.map(({ field, before, after }) => [field, [before, after]])),
  }));
}

/** The recorded actions of an actor, across organizations, in order. */
export async function actionsOf(test: TestApp, userId: string): Promise<string[]> {
  const sql = `SELECT action FROM audit_records WHERE actor ->> 'id' = $1 ORDER BY occurred_at, sequence`;
  return (await rowsOf<{ action: string }>(test, sql, [userId])).map(({ action }) => action);
}

/** The newest record with an action; throws if there is none. */
export async function lastAudit(test: TestApp, organizationId: string, action: string): Promise<AuditedChange> {
  const found = (await auditOf(test, organizationId, { action })).at(-1);
  if (!found) throw new Error(`Nothing is recorded of ${action}.`);
  return found;
}
