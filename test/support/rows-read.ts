import type { TestApp } from './app.js';
import { withClient } from './postgres.js';

interface Plan {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

const rowsOfPlan = (plan: Plan, table?: string): number =>
  (plan['Node Type'].endsWith('Scan') &&
  !/Function|Subquery|CTE/.test(plan['Node Type']) &&
  (table === undefined || plan['Relation Name'] === table)
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : 0) + (plan.Plans ?? []).reduce((all, child) => all + rowsOfPlan(child, table), 0);

/**
 * The number of rows that a statement reads from tables, including those it filters out.
 *
 * @param table counts only this one: small tables are read as a whole, and which are small depends on other suites
 */
export const rowsRead = (
  { databaseUrl }: TestApp,
  text: string,
  values: readonly unknown[],
  table?: string,
): Promise<number> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values as unknown[],
    );
    return rowsOfPlan(rows[0]!['QUERY PLAN'][0].Plan, table);
  });
