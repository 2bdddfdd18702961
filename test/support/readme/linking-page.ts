import { ACCESS_CONTROL_MERGED } from '../../../src/access-control/access-control.merging.js';
import { BILLING_MERGED } from '../../../src/billing/billing.merging.js';
import { CUSTODY_MERGED } from '../../../src/custody/custody.merging.js';
import type { MergedTable } from '../../../src/database/index.js';
import { FUNDING_MERGED } from '../../../src/funding/funding.merging.js';
import { IDENTITY_MERGED } from '../../../src/identity/identity.merging.js';
import { decisionRows } from '../../../src/identity/linking/decisions.js';
import { ANALYTICS_MERGED } from '../../../src/reporting/analytics/analytics.merging.js';
import { WAAS_MERGED } from '../../../src/waas/waas.merging.js';
import { WALLETS_MERGED } from '../../../src/wallets/wallets.merging.js';
import { markdownTable } from './markdown-table.js';

/** What every context says. A test holds it against the tables there are. */
const MERGED = [
  ...[IDENTITY_MERGED, WALLETS_MERGED, CUSTODY_MERGED, WAAS_MERGED, FUNDING_MERGED],
  ...[ACCESS_CONTROL_MERGED, BILLING_MERGED, ANALYTICS_MERGED],
].flat();

/** Every decision as a table. */
const decisionTable = (): string =>
  markdownTable([
    ['The user wants to', 'kind', 'whose it is', 'what becomes of it'],
    ...decisionRows().map(({ intent, kind, holder, decision }) => [intent, kind, holder, `\`${decision}\``]),
  ]).join('\n');

/** What a merge does with each table. */
export const mergedTable = (tables: readonly MergedTable[]): string =>
  markdownTable([
    ['Table', 'what its rows are', 'rule', 'because'],
    ...tables
      .toSorted((one, other) => (one.table < other.table ? -1 : 1))
      .map(({ table, what, fate, why }) => [`\`${table}\``, what, `\`${fate}\``, why]),
  ]).join('\n');

function replaced(page: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before, rest = ''] = page.split(begin);
  const [, after = ''] = rest.split(end);
  return `${before}${begin}\n\n${table}\n\n${end}${after}`;
}

/** The page with the tables of now between their marks. */
export const withDecisions = (page: string): string =>
  replaced(replaced(page, 'decisions', decisionTable()), 'merged', mergedTable(MERGED));
