import ts from 'typescript';
import { lineOf, nodesOf, parse, type SourceFile } from './source-file.js';

export const MAX_LINES = 350;

export function findLongFiles(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length;
    return lines > MAX_LINES ? [`${path}: ${lines} lines`] : [];
  });
}

export function findDefaultExports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    parse(file).statements.flatMap((statement) => {
      const isDefault =
        ts.isExportAssignment(statement) ||
        (ts.canHaveModifiers(statement) &&
          ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword));
      return isDefault ? [`${file.path}:${lineOf(statement)}`] : [];
    }),
  );
}

const DISABLE = /(?:\/\/|\/\*)\s*(eslint-disable[\w-]*|@ts-ignore|@ts-nocheck)\b([^\n]*)/g;
/** Named rules, then ` -- ` and a reason of two words at least. */
const EXPLAINED = /^\s+[@\w/-]+(?:,\s*[@\w/-]+)*\s+--\s+\S+\s+\S+/;

/** Disabled checks without a rule name or a reason. */
export function findUnexplainedDisables(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(DISABLE)]
      .filter(([, directive = '', rest = '']) => !directive.startsWith('eslint-') || !EXPLAINED.test(rest))
      .map(({ index, 1: directive }) => `${path}:${text.slice(0, index).split('\n').length} ${directive}`),
  );
}

/** Properties of classes in `*.dto.ts` without a decorator: they would be stripped silently. */
export function findBareProperties(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => path.endsWith('.dto.ts'))
    .flatMap((file) => [...nodesOf(parse(file))].filter(ts.isPropertyDeclaration))
    .filter((property) => !ts.getDecorators(property)?.length && !isStatic(property))
    .map((property) => `${property.getSourceFile().fileName}:${lineOf(property)} ${property.name.getText()}`);
}

const isStatic = (property: ts.PropertyDeclaration): boolean =>
  ts.getModifiers(property)?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword) ?? false;
