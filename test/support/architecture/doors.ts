import ts from 'typescript';
import { contextOf, nodesOf, parse, type SourceFile } from './source-file.js';

const INSIDE = /\.(?:repository|entity|entities|controller)\.js$/;

/** What every context is built on; the events it keeps are read by those who send them. */
const GROUND = 'database';

/** Entities, repositories and controllers that a context lets out through its `index.ts`. Their types say nothing of rows. */
export function findLetOut(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => path === `src/${contextOf(path)}/index.ts` && contextOf(path) !== GROUND)
    .flatMap((file) =>
      [...nodesOf(parse(file))].filter(ts.isExportDeclaration).flatMap((node) => letOutBy(node, file)),
    );
}

function letOutBy({ moduleSpecifier, exportClause, isTypeOnly }: ts.ExportDeclaration, file: SourceFile): string[] {
  const from = moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : '';
  if (isTypeOnly || !INSIDE.test(from)) return [];
  if (!exportClause || !ts.isNamedExports(exportClause)) return [`${file.path}: all of ${from}`];
  return exportClause.elements.filter((one) => !one.isTypeOnly).map(({ name }) => `${file.path}: ${name.text}`);
}
