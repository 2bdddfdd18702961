import { globSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { MergedTable } from '../../../src/database/index.js';
import { decisionRows } from '../../../src/identity/linking/decisions.js';
import { markdownTable } from './markdown-table.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** What every context and extension declares in its `*.merging.ts`. A test compares it with the existing tables. */
const MERGED = (
  await Promise.all(
    globSync('{src,extensions}/**/*.merging.ts', { cwd: ROOT }).map(async (file) => {
      const exported = (await import(pathToFileURL(`${ROOT}${file}`).href)) as Record<string, readonly MergedTable[]>;
      return Object.entries(exported).flatMap(([name, tables]) => (name.endsWith('_MERGED') ? tables : []));
    }),
  )
).flat();

/** All decisions as a table. */
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

/** The page with current tables between their markers. */
export const withDecisions = (page: string): string =>
  replaced(replaced(page, 'decisions', decisionTable()), 'merged', mergedTable(MERGED));
