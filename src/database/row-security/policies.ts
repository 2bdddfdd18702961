import type { DataSource, QueryRunner } from 'typeorm';
import { RowSecurityError } from './row-security.errors.js';
import { deploymentStatement } from '../statement.js';
import { EVERY_TENANT, TENANT_VARIABLE } from './named-tenant.js';

const POLICY = 'tenant';

/** A table of tenants, and how far its policy stands. */
export interface TenantTable {
  /** Quoted as SQL wants it. */
  table: string;
  hasEnvironment: boolean;
  hasOrganization: boolean;
  /** `ENABLE`, `FORCE` and the policy, all three. */
  isGuarded: boolean;
  /** Any of the three. */
  isTouched: boolean;
  /** Only who owns a table may change its policies. */
  isOwn: boolean;
}

/**
 * Every table with a column that names a tenant, and the two whose rows are tenants. The catalogue is asked, so a table
 * that a migration adds is among them from its first day.
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

/** Each in brackets of its own, so that PostgreSQL reads the variable once for a statement. */
const NAMED = `(SELECT current_setting('${TENANT_VARIABLE}', true))`;
const TENANT = `(SELECT nullif(nullif(current_setting('${TENANT_VARIABLE}', true), '${EVERY_TENANT}'), '')::uuid)`;

/** An organization meets the rows of its environments, and an environment those of its organization. */
function conditionOf({ table, hasEnvironment, hasOrganization }: TenantTable): string {
  const environment = table === 'environments' ? 'id' : 'environment_id';
  const organization = table === 'organizations' ? 'id' : 'organization_id';
  const met = [`${NAMED} = '${EVERY_TENANT}'`];
  if (hasEnvironment) met.push(`${environment} = ${TENANT}`);
  if (hasOrganization) met.push(`${organization} = ${TENANT}`);
  // Whoever is asked about environments is asked about no other table, or the policies would go in a circle.
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

/** One table at a time, each committed by itself: no lock is held while another is waited for. */
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

/** What was done, and to which tables nothing could be. */
export interface RowSecurityChange {
  changed: string[];
  /** They belong to another role. */
  left: string[];
}

/** Brings every table in line. May be repeated, and interrupted: what is missing is done the next time. */
export async function bringRowSecurity(runner: QueryRunner, wanted: boolean): Promise<RowSecurityChange> {
  const tables = await tenantTables(runner);
  const differing = tables.filter(({ isGuarded, isTouched }) => (wanted ? !isGuarded : isTouched));
  const own = differing.filter(({ isOwn }) => isOwn);
  for (const table of own) await (wanted ? guard : release)(runner, table);
  const names = (some: TenantTable[]): string[] => some.map(({ table }) => table);
  return { changed: names(own), left: names(differing.filter(({ isOwn }) => !isOwn)) };
}

/**
 * At a start: where the policies stand, new tables get theirs. None are made before the operator asks for them, since
 * instances that do not name their tenant would meet no rows from then on.
 *
 * @throws RowSecurityError when this instance would be one of those
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
