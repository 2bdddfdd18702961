import { posix } from 'node:path';
import ts from 'typescript';
import { nodesOf, parse, type SourceFile } from './source-file.js';

/** An import of one repository file by another. */
export interface ImportEdge {
  readonly from: SourceFile;
  /** Path of the imported file, from the root of the repository. */
  readonly to: string;
  /** Absent from the compiled code: `import type` or `export type`. */
  readonly typeOnly: boolean;
  /** An `import()`, which loads the file only when it is executed. */
  readonly deferred: boolean;
}

const PATTERN = /\b(?:import|from)\b/;

/** Imports that are not repository files: packages, and modules of Node. */
export function packagesOf(file: SourceFile): string[] {
  const loaded: string[] = [];
  for (const node of nodesOf(parse(file))) {
    const isType =
      (ts.isImportDeclaration(node) && node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) ||
      (ts.isExportDeclaration(node) && node.isTypeOnly);
    const named = ts.isImportDeclaration(node) || ts.isExportDeclaration(node) ? node.moduleSpecifier : undefined;
    const isCall = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
    const specifier = isCall ? node.arguments[0] : named;
    if (isType || !specifier || !ts.isStringLiteralLike(specifier)) continue;
    if (!specifier.text.startsWith('.')) loaded.push(specifier.text);
  }
  return loaded;
}

/** The relative imports and re-exports of a file. */
export function importsOf(file: SourceFile): ImportEdge[] {
  if (!PATTERN.test(file.text)) return [];
  const edges: ImportEdge[] = [];
  const add = (specifier: ts.Node | undefined, typeOnly: boolean, deferred = false): void => {
    if (!specifier || !ts.isStringLiteralLike(specifier) || !specifier.text.startsWith('.')) return;
    const target = posix.join(posix.dirname(file.path), specifier.text);
    edges.push({ from: file, to: target.replace(/\.(m?)js$/, '.$1ts'), typeOnly, deferred });
  };
  for (const node of nodesOf(parse(file))) {
    // `import { type A }` still loads the module; only `import type` does not.
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
    } else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false, true);
    }
  }
  return edges;
}
