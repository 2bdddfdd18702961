import type { DataSource, QueryRunner } from 'typeorm';
import { RowSecurityError } from './row-security.errors.js';
import { deploymentStatement } from '../statement.js';
import { EVERY_TENANT, TENANT_VARIABLE } from './named-tenant.js';

const POLICY = 'tenant';

/** A table with tenants' rows, and the state of its policy. */
export interface TenantTable {
  /** Quoted for SQL. */
  table: string;
  hasEnvironment: boolean;
  hasOrganization: boolean;
  /** Has all three: `ENABLE`, `FORCE` and the policy. */
  isGuarded: boolean;
  /** Has any of the three. */
  isTouched: boolean;
  /** Whether this role owns the table: only the owner may change its policies. */
  isOwn: boolean;
}

/**
 * Every table with a column that names a tenant, and the two whose rows are tenants. Queried from the catalogue, so
 * that a table added by a migration is included from the start.
 */
export const TENANT_TABLES = deploymentStatement(
  'rowSecurity.listTables',
  `
  SELECT c.oid::regclass::text AS "table",
    c.relname = 'environments' OR bool_or(a.attname = 'environment_id') AS "hasEnvironment",
    c.relname = 'organizations' OR bool_or(a.attname = 'organization_id') AS "hasOrganization",
    c.relrowsecurity AND c.relforcerowsecurity AND p.polname IS NOT NULL AS "isGuarded",
    c.relrowsecurity OR c.relforcerowsecurity OR p.polname IS NOT NULL AS "isTouched",
    pg_has_role(c.relowner, 'USAGE') AS "isOwn"
  FROM pg_class c
  LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname IN ('environment_id', 'organization_id')
    AND NOT a.attisdropped
  LEFT JOIN pg_policy p ON p.polrelid = c.oid AND p.polname = '${POLICY}'
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
    AND (a.attname IS NOT NULL OR c.relname IN ('environments', 'organizations'))
  GROUP BY c.oid, c.relname, c.relrowsecurity, c.relforcerowsecurity, c.relowner, p.polname ORDER BY 1`,
);

/** As a subquery, so that PostgreSQL reads the setting once per statement. */
const NAMED = `(SELECT current_setting('${TENANT_VARIABLE}', true))`;
const TENANT = `(SELECT nullif(nullif(current_setting('${TENANT_VARIABLE}', true), '${EVERY_TENANT}'), '')::uuid)`;

/** An organization can access the rows of its environments, and an environment those of its organization. */
function conditionOf({ table, hasEnvironment, hasOrganization }: TenantTable): string {
  const environment = table === 'environments' ? 'id' : 'environment_id';
  const organization = table === 'organizations' ? 'id' : 'organization_id';
  const met = [`${NAMED} = '${EVERY_TENANT}'`];
  if (hasEnvironment) met.push(`${environment} = ${TENANT}`);
  if (hasOrganization) met.push(`${organization} = ${TENANT}`);
  // The policy of `environments` must not query other tables, or the policies would recurse.
  if (table === 'environments') return met.join(' OR ');
  if (hasOrganization)
    met.push(`${organization} = (SELECT e.organization_id FROM environments e WHERE e.id = ${TENANT})`);
  if (hasEnvironment)
    met.push(`${environment} IN (SELECT e.id FROM environments e WHERE e.organization_id = ${TENANT})`);
  return met.join(' OR ');
}

export async function tenantTables(on: DataSource | QueryRunner): Promise<TenantTable[]> {
  return (await on.query(TENANT_TABLES.text)) as TenantTable[];
}

/** Each table is committed separately: no lock is held while waiting for another. */
async function guard(runner: QueryRunner, one: TenantTable): Promise<void> {
  const condition = conditionOf(one);
  await runner.query(
    `DROP POLICY IF EXISTS ${POLICY} ON ${one.table};
     CREATE POLICY ${POLICY} ON ${one.table} USING (${condition}) WITH CHECK (${condition});
     ALTER TABLE ${one.table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`,
  );
}

async function release(runner: QueryRunner, { table }: TenantTable): Promise<void> {
  await runner.query(
    `ALTER TABLE ${table} DISABLE ROW LEVEL SECURITY, NO FORCE ROW LEVEL SECURITY;
     DROP POLICY IF EXISTS ${POLICY} ON ${table}`,
  );
}

/** What was changed, and which tables could not be. */
export interface RowSecurityChange {
  changed: string[];
  /** Tables owned by another role. */
  left: string[];
}

/** Brings every table in line. Can be repeated and interrupted: the next run completes it. */
export async function bringRowSecurity(runner: QueryRunner, wanted: boolean): Promise<RowSecurityChange> {
  const tables = await tenantTables(runner);
  const differing = tables.filter(({ isGuarded, isTouched }) => (wanted ? !isGuarded : isTouched));
  const own = differing.filter(({ isOwn }) => isOwn);
  for (const table of own) await (wanted ? guard : release)(runner, table);
  const names = (some: TenantTable[]): string[] => some.map(({ table }) => table);
  return { changed: names(own), left: names(differing.filter(({ isOwn }) => !isOwn)) };
}

/**
 * At a start: if policies are in force, new tables get theirs. None are created until the operator asks for them, since
 * instances that do not name their tenant would no longer see any rows.
 *
 * @throws RowSecurityError if this instance would be one of those
 */
export async function keepRowSecurity(source: DataSource, wanted: boolean): Promise<void> {
  const tables = await tenantTables(source);
  const guarded = tables.filter(({ isTouched }) => isTouched);
  if (guarded.length === 0) return;
  if (!wanted) throw new RowSecurityError();
  if (tables.every(({ isGuarded }) => isGuarded)) return;
  const runner = source.createQueryRunner();
  try {
    await bringRowSecurity(runner, true);
  } finally {
    await runner.release();
  }
}
