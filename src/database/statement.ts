declare const made: unique symbol;

/** A named SQL statement, prepared once per connection under its name. Created only in this file. */
export interface Statement {
  readonly [made]: true;
  readonly name: string;
  readonly text: string;
  readonly reach: StatementReach;
}

/** Whose rows a statement touches. */
export type StatementReach = 'tenant' | 'rows of tenants' | 'due rows' | 'deployment' | 'crossing';

const known = new Map<string, Statement>();

/** All statements created so far, except those built from entities. */
export const listStatements = (): Statement[] => [...known.values()];

export const statementNames = (): string[] => [...known.keys()];

/** The number of statements created so far, by reach. */
export function countStatements(): Partial<Record<StatementReach, number>> {
  const counts: Partial<Record<StatementReach, number>> = {};
  for (const { reach } of known.values()) counts[reach] = (counts[reach] ?? 0) + 1;
  return counts;
}

/** What is wrong with a statement's text, phrased to follow its name. */
type FaultOf = (text: string) => string | undefined;

/** Registers a statement, unless `faultOf` finds a fault in its text: a rejected one does not occupy its name. */
function named(name: string, text: string, reach: StatementReach, faultOf?: FaultOf): Statement {
  if (known.has(name)) throw new Error(`The statement ${name} is defined twice.`);
  const statement = generatedStatement(name, text.replace(/\s+/g, ' ').trim(), reach);
  const fault = faultOf?.(statement.text);
  if (fault) throw new Error(`The statement ${name} ${fault}.`);
  known.set(name, statement);
  return statement;
}

/**
 * For the repositories of this folder, which build statements from entities.
 *
 * @param reach `tenant` if the text is bound to its scope, which is then the first parameter
 */
export const generatedStatement = (name: string, text: string, reach: StatementReach): Statement =>
  Object.freeze({ name, text, reach }) as Statement;

const SCOPE_FIRST =
  /\b(environment_id|organization_id)\s*=\s*\$1\b|\((environment_id|organization_id),[^)]*\)\s*(VALUES\s*\(|SELECT\s+)\$1\b/;

/**
 * A statement on the rows of one tenant. Its first parameter is the scope: text that does not bind `environment_id` or
 * `organization_id` to `$1` is rejected when the module loads.
 */
export function scopedStatement(name: string, text: string): Statement {
  return named(name, text, 'tenant', (sql) => (SCOPE_FIRST.test(sql) ? undefined : 'does not bind its scope to $1'));
}

const SCOPE_ITSELF = [
  /^SELECT [^()]* FROM (?:organizations|environments)(?: \w)? WHERE (?:\w\.)?id = \$1\b/,
  /^UPDATE (?:organizations|environments)(?: \w)? SET [^()]*(?:now\(\)[^()]*)* WHERE (?:\w\.)?id = \$1\b/,
  /^DELETE FROM (?:organizations|environments) WHERE id = \$1\b/,
  /^INSERT INTO (?:organizations|environments) \(id,[^)]*\) VALUES \(\$1,/,
];
const SECOND_TABLE =
  /\b(?:JOIN|UNION|USING|OR)\b|,\s*(?:LATERAL|ONLY)\b|^UPDATE\b.*\bFROM\b|\bFROM\b.*\b(?:FROM|SELECT)\b/i;

/**
 * A statement on the row of one organization or environment, whose id is the scope and the first parameter. It reads
 * and writes no other table.
 */
export function tenantStatement(name: string, text: string): Statement {
  return named(name, text, 'tenant', (sql) => {
    const isBound = SCOPE_ITSELF.some((shape) => shape.test(sql)) && !SECOND_TABLE.test(sql);
    return isBound ? undefined : 'is not one on the row of its scope, bound to $1';
  });
}

const SCOPES_FIRST =
  /\b(?:unnest\(\$1::uuid\[\][^)]*\)|json_to_recordset\(\$1::json\)) AS (\w+) \((environment_id|organization_id)\b/;

/**
 * A statement on rows of many tenants, each named with its own: the first parameter is the list of scopes, or of
 * records that begin with them, and each row is matched to its scope.
 */
export function scopedRowsStatement(name: string, text: string): Statement {
  return named(name, text, 'rows of tenants', (sql) => {
    const [, rows, scope] = SCOPES_FIRST.exec(sql) ?? [];
    const isBound = rows !== undefined && new RegExp(`\\b\\w+\\.${scope} = ${rows}\\.${scope}\\b`).test(sql);
    return isBound ? undefined : 'does not bind the scope of each row to $1';
  });
}

const TAKES_DUE = /\bAS MATERIALIZED \(.* LIMIT \$?\d+ FOR UPDATE SKIP LOCKED ?\)/;
const NAMES_TENANT = /\b(?:environment_id AS "environmentId"|organization_id AS "organizationId")/;

/**
 * A statement by which a job claims due rows of any tenant: a limited number, skipping locked rows, each returned with
 * its tenant so that the work itself is scoped again. The rows are selected once, before anything is written: inside a
 * join PostgreSQL may repeat the selection for each compared row, and claim further rows beyond the limit.
 */
export function dueRowsStatement(name: string, text: string): Statement {
  return named(name, text, 'due rows', (sql) =>
    TAKES_DUE.test(sql) && NAMES_TENANT.test(sql)
      ? undefined
      : 'does not take some rows that nobody holds, each with its tenant',
  );
}

/** Tables whose rows belong to the deployment: they have no tenant column. */
export const DEPLOYMENT_TABLES = [
  'billing_coupons',
  'billing_provider_events',
  'deployment_budgets',
  'migrations',
  'sanctions_lists',
  'scheduled_jobs',
  'service_secrets',
] as const;

const TABLE = /\b(?:FROM|JOIN|INTO|UPDATE|ONLY|TABLE)\s+"?([a-z_]+)"?/gi;
const NAMED_PART = /(?:\bWITH|,)\s+([a-z_]+)(?: \([^)]*\))? AS (?:(?:NOT )?MATERIALIZED )?\(/gi;
const LIST_OF_TABLES = /\b(?:FROM|USING)\s+\w+(?:\s+(?:AS\s+)?\w+)?\s*,/i;
/** `FOR UPDATE SKIP LOCKED`, `ON CONFLICT … DO UPDATE SET` and set-returning functions name no table. */
const NO_TABLE = new Set(['skip', 'set', 'unnest', 'of', 'nowait']);

/** A statement on data of the deployment itself: tables without tenants, the catalogue of PostgreSQL, or no table. */
export function deploymentStatement(name: string, text: string): Statement {
  return named(name, text, 'deployment', (sql) => {
    if (LIST_OF_TABLES.test(sql)) return 'is to join tables by name';
    const parts = [...sql.matchAll(NAMED_PART)].map(([, part]) => part!.toLowerCase());
    const own = new Set<string>([...DEPLOYMENT_TABLES, ...parts]);
    const tables = [...sql.matchAll(TABLE)].map(([, table]) => table!.toLowerCase());
    const foreign = tables.find((table) => !own.has(table) && !NO_TABLE.has(table) && !table.startsWith('pg_'));
    return foreign && `reads or writes ${foreign}, which is not the deployment's alone`;
  });
}

/** A cross-tenant statement, such as finding the owner of a token. The reason is read by reviewers and by a test. */
export const asSystem = (reason: string): { statement(name: string, text: string): Statement } => {
  if (reason.length < 10) throw new Error('An unscoped statement needs a reason.');
  return { statement: (name, text) => named(name, text, 'crossing') };
};

const CHANGES = /\b(insert|update|delete|merge|share|nextval|set_config|pg_\w+)\b/i;
const judged = new WeakMap<Statement, boolean>();

/** Whether a statement neither writes nor locks, so that it can be retried when its response is lost. */
export function onlyReads(statement: Statement): boolean {
  let reads = judged.get(statement);
  if (reads === undefined) judged.set(statement, (reads = !CHANGES.test(statement.text)));
  return reads;
}
