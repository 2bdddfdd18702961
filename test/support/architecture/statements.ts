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

/** Functions that check the text on creation, and reject what reaches further than their name says. */
const CHECKED = [
  'scopedStatement',
  'dueRowsStatement',
  'scopedRowsStatement',
  'tenantStatement',
  'deploymentStatement',
  // In the signer, which loads no mapper: a row of one user.
  'rowStatement',
];

/** A checked statement, or `asSystem(reason).statement(name, text)`. */
export function isNamedStatement(call: ts.Node): boolean {
  if (!ts.isCallExpression(call)) return false;
  if (CHECKED.includes(calledName(call))) return true;
  const { expression } = call;
  return (
    ts.isPropertyAccessExpression(expression) && isSystemCall(expression.expression) && calledName(call) === 'statement'
  );
}

function isDeclared(sql: ts.Node): boolean {
  for (let node = sql.parent; !ts.isStatement(node); node = node.parent) if (isNamedStatement(node)) return true;
  return false;
}

/** SQL outside `database` that is neither a scoped statement nor one with a reason for crossing tenants. */
export function findUnscopedSql(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => !isForTests(file) && contextOf(file.path) !== 'database')
    .flatMap((file) =>
      [...nodesOf(parse(file))]
        .filter((node) => SQL.test(textOf(node) ?? '') && !isDeclared(node))
        .map((node) => `${file.path}:${lineOf(node)}`),
    );
}

/** Calls of `asSystem` without a literal reason of at least ten characters. */
export function findUnexplainedSystemCalls(files: readonly SourceFile[]): string[] {
  return systemCalls(files)
    .filter(({ arguments: [reason] }) => !reason || !ts.isStringLiteralLike(reason) || reason.text.length < MIN_REASON)
    .map((call) => `${call.getSourceFile().fileName}:${lineOf(call)}`);
}

/** Reasons of `asSystem` shared by several statements: such a reason names a pattern, or is too vague. */
export function findRepeatedReasons(files: readonly SourceFile[]): string[] {
  const seen = new Set<string>();
  return systemCalls(files).flatMap((call) => {
    const [reason] = call.arguments;
    const text = reason && ts.isStringLiteralLike(reason) ? reason.text : '';
    if (!seen.has(text)) {
      seen.add(text);
      return [];
    }
    return [`${call.getSourceFile().fileName}:${lineOf(call)} ${text}`];
  });
}

/** The number of cross-tenant statements. */
export const countSystemStatements = (files: readonly SourceFile[]): number => systemCalls(files).length;

function systemCalls(files: readonly SourceFile[]): ts.CallExpression[] {
  return files.filter((file) => !isForTests(file)).flatMap((file) => [...nodesOf(parse(file))].filter(isSystemCall));
}

/** Verbs that statement names begin with. A statement is named after what it does, not what it returns. */
const VERBS = new Set(
  `add answer append attempt begin cancel check claim condemn consume count create delete destroy disable dispatch
   enable end ensure enter extend fail find finish forget forgive hand has hide hold insert is join link list lock mark measure mirror
   note open probe promote prove purge put raise read recheck recognize record redeem redeliver refresh register release
   remember remove renew replace restore retire revoke rotate search send set step store switch take touch update verify visit
   walk wipe withdraw`.split(/\s+/),
);
const NAME = /^[a-z][a-zA-Z0-9]*\.([a-z]+)[a-zA-Z0-9]*$/;

/** Statement names that are not `aggregate.verb` in camel case. */
export const findMisnamedStatements = (names: readonly string[]): string[] =>
  names.filter((name) => !VERBS.has(NAME.exec(name)?.[1] ?? ''));
