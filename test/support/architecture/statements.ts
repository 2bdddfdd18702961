import ts from 'typescript';
import { contextOf, isForTests, lineOf, nodesOf, parse, type SourceFile } from './source-file.js';

const SQL = /^\s*(?:SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|WITH|TRUNCATE|MERGE\s+INTO|COPY)\s/;
const MIN_REASON = 10;

const textOf = (node: ts.Node): string | null => {
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateExpression(node) ? node.head.text : null;
};

const calledName = ({ expression }: ts.CallExpression): string =>
  ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();

const isSystemCall = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && calledName(node) === 'asSystem';

/** `scopedStatement(name, text)`, `asSystem(reason).statement(name, text)` or a `part` of such statements. */
function isNamedStatement(call: ts.Node): boolean {
  if (!ts.isCallExpression(call)) return false;
  if (calledName(call) === 'scopedStatement') return true;
  const { expression } = call;
  return (
    ts.isPropertyAccessExpression(expression) &&
    isSystemCall(expression.expression) &&
    ['statement', 'part'].includes(calledName(call))
  );
}

function isDeclared(sql: ts.Node): boolean {
  for (let node = sql.parent; !ts.isStatement(node); node = node.parent) if (isNamedStatement(node)) return true;
  return false;
}

/** SQL outside `database` that is neither a scoped statement nor one that says why it reaches across tenants. */
export function findUnscopedSql(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => !isForTests(file) && contextOf(file.path) !== 'database')
    .flatMap((file) =>
      [...nodesOf(parse(file))]
        .filter((node) => SQL.test(textOf(node) ?? '') && !isDeclared(node))
        .map((node) => `${file.path}:${lineOf(node)}`),
    );
}

/** Calls of `asSystem` without a reason of ten characters written at the place. */
export function findUnexplainedSystemCalls(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => !isForTests(file))
    .flatMap((file) => [...nodesOf(parse(file))].filter(isSystemCall))
    .filter(({ arguments: [reason] }) => !reason || !ts.isStringLiteralLike(reason) || reason.text.length < MIN_REASON)
    .map((call) => `${call.getSourceFile().fileName}:${lineOf(call)}`);
}
