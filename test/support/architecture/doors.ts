import ts from 'typescript';
import { contextOf, nodesOf, parse, type SourceFile } from './source-file.js';

const INSIDE = /\.(?:repository|entity|entities|controller)\.js$/;

/** The foundation of every context; the events it stores are read by the context that sends them. */
const GROUND = 'database';

/** Entities, repositories and controllers exported by a context's `index.ts`. Their types do not mention rows. */
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
