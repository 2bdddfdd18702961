import ts from 'typescript';
import { isAbove } from './import-order.js';
import { contextOf, isForTests, nodesOf, parse, type SourceFile } from './source-file.js';

const ENTITY = /@Entity\('(\w+)'/g;
const NAMED = /\b(?:FROM|JOIN|INTO|UPDATE|USING|TABLE)\s+(?:ONLY\s+)?"?([a-z_]+)"?/g;

/** Tables of tenants, known to every context: rows belong to tenants, and memberships grant access. */
const OF_TENANTS = new Set(['environments', 'organizations', 'members']);

/** Statements that name a table of a context above or beside their own: `file -> table of context`. */
export function findTablesAbove(files: readonly SourceFile[]): string[] {
  const own = files.filter((file) => !isForTests(file) && contextOf(file.path) !== null);
  const owners = new Map<string, string>();
  for (const { path, text } of own) {
    for (const [, table = ''] of text.matchAll(ENTITY)) owners.set(table, contextOf(path)!);
  }
  return own.flatMap((file) => {
    const context = contextOf(file.path)!;
    return [...tablesNamedIn(file)].flatMap((table) => {
      const owner = owners.get(table);
      const isTheirs = owner && !OF_TENANTS.has(table) && owner !== context && isAbove(owner, context);
      return isTheirs ? [`${file.path} -> ${table} of ${owner}`] : [];
    });
  });
}

function tablesNamedIn(file: SourceFile): Set<string> {
  const texts = [...nodesOf(parse(file))].filter(
    (node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node),
  );
  return new Set(texts.flatMap((node) => [...node.getText().matchAll(NAMED)].map(([, table = '']) => table)));
}
