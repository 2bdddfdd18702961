import ts from 'typescript';
import { Names } from './names.js';
import { contextOf, isForTests, lineOf, nodesOf, parse, type SourceFile } from './source-file.js';
import { isNamedStatement } from './statements.js';

/** Complete statements and fragments: upper-case SQL keywords, functions, parameters, compared columns. */
const SQL = new RegExp(
  [
    String.raw`\b(?:SELECT|INSERT INTO|DELETE FROM|WHERE|RETURNING|GROUP BY|ORDER BY|ON CONFLICT|CASE WHEN|NOT EXISTS)\b`,
    String.raw`\b(?:FROM|JOIN|UPDATE) [a-z_]+\b`,
    String.raw`\bIS (?:NOT )?(?:NULL|DISTINCT)\b`,
    String.raw`\b(?:coalesce|nullif|jsonb?_[a-z_]+|to_jsonb?|array_agg)\(`,
    String.raw`\b[a-z]\w*\.[a-z_]+ (?:=|<|>|<=|>=|<>) \S`,
    String.raw`[=(,] ?\$\d`,
  ].join('|'),
);

/** The context that creates statements: its functions return text for typed input, and its statements accept it. */
const MAKES_STATEMENTS = 'database';

/** Whether the call creates a statement from a text, which is checked there. */
function isStatement(call: ts.Node): boolean {
  return isNamedStatement(call) || (ts.isCallExpression(call) && call.expression.getText() === 'statementFamily');
}

/**
 * SQL text that one context passes to another: as an export, as an argument of an imported function, in a class that
 * implements or extends an imported type, or as a value of an imported type. The context that creates statements may
 * pass text upwards; text may only be passed to it to create a statement.
 */
export function findHandedText(files: readonly SourceFile[]): string[] {
  const own = files.filter((file) => !isForTests(file) && contextOf(file.path) !== null);
  const reading = new Reading(new Names(own));
  return own.flatMap((file) => [...reading.throughDoor(file), ...reading.handedOver(file)]);
}

class Reading {
  private readonly carrying = new Map<ts.Node, boolean>();

  constructor(private readonly names: Names) {}

  throughDoor(file: SourceFile): string[] {
    const context = contextOf(file.path);
    if (file.path !== `src/${context}/index.ts` || context === MAKES_STATEMENTS) return [];
    return this.names
      .handedOn(file)
      .filter((name) => {
        const declared = this.names.declarationOf(file, name);
        return declared !== null && !ts.isClassDeclaration(declared.node) && this.carries(declared.node, declared.file);
      })
      .map((name) => `${file.path}: ${name}`);
  }

  handedOver(file: SourceFile): string[] {
    const found = new Set<string>();
    for (const node of nodesOf(parse(file))) {
      for (const value of this.handedBy(node, file)) {
        if (this.carries(value, file)) found.add(`${file.path}:${lineOf(value)}`);
      }
    }
    return [...found];
  }

  /** Values that a node passes to another context. */
  private handedBy(node: ts.Node, file: SourceFile): readonly ts.Node[] {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      return !isStatement(node) && this.isForeign(node.expression, file) ? (node.arguments ?? []) : [];
    }
    if (ts.isVariableDeclaration(node)) {
      return node.initializer && this.isForeignType(node.type, file) ? [node.initializer] : [];
    }
    if (ts.isSatisfiesExpression(node)) return this.isForeignType(node.type, file) ? [node.expression] : [];
    return ts.isClassDeclaration(node) && this.heritageOf(node, file).length > 0 ? membersOf(node) : [];
  }

  private isForeign(callee: ts.Expression, file: SourceFile): boolean {
    if (callee.kind === ts.SyntaxKind.SuperKeyword) {
      const owner = ts.findAncestor(callee, ts.isClassDeclaration);
      return owner !== undefined && this.heritageOf(owner, file).length > 0;
    }
    if (ts.isIdentifier(callee)) return this.names.contextBehind(file, callee.text) !== null;
    if (!ts.isPropertyAccessExpression(callee)) return false;
    const { expression } = callee;
    if (ts.isIdentifier(expression) && this.names.contextBehind(file, expression.text) !== null) return true;
    const name = ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
    const parameter = parametersAround(callee).find((one) => one.name.getText() === name);
    return this.isForeignType(parameter?.type, file);
  }

  private isForeignType(type: ts.TypeNode | undefined, file: SourceFile): boolean {
    if (!type) return false;
    const names = [...nodesOf(type)].filter(ts.isIdentifier);
    return names.some(({ text }) => this.names.contextBehind(file, text) !== null);
  }

  private heritageOf(node: ts.ClassDeclaration, file: SourceFile): ts.Expression[] {
    const all = (node.heritageClauses ?? []).flatMap(({ types }) => types.map(({ expression }) => expression));
    return all.filter((one) => ts.isIdentifier(one) && this.names.contextBehind(file, one.text) !== null);
  }

  /** Whether a value, or what its names refer to, contains SQL text. */
  private carries(value: ts.Node, file: SourceFile): boolean {
    const known = this.carrying.get(value);
    if (known !== undefined) return known;
    this.carrying.set(value, false);
    const result = this.isText(value) || this.isCarrying(value, file) || this.holds(value, file);
    this.carrying.set(value, result);
    return result;
  }

  private isText(node: ts.Node): boolean {
    return (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) && SQL.test(node.getText());
  }

  private isCarrying(node: ts.Node, file: SourceFile): boolean {
    if (!ts.isIdentifier(node) || isNameOfMember(node)) return false;
    const inside = localOf(node);
    if (inside) return this.carries(inside, file);
    const declared = this.names.declarationOf(file, node.text);
    return declared !== null && this.carries(declared.node, declared.file);
  }

  private holds(node: ts.Node, file: SourceFile): boolean {
    if (isStatement(node) || ts.isTypeNode(node) || ts.isClassDeclaration(node)) return false;
    // A statement was created from its arguments.
    if (ts.isCallExpression(node) && this.makesStatement(node.expression, file)) return false;
    // A function's body is its own business; its return value is passed on.
    if (ts.isBlock(node)) return returnedBy(node).some((one) => this.carries(one, file));
    return ts.forEachChild(node, (child) => this.carries(child, file)) ?? false;
  }

  private makesStatement(callee: ts.Expression, file: SourceFile): boolean {
    const declared = ts.isIdentifier(callee) ? this.names.declarationOf(file, callee.text)?.node : undefined;
    return declared !== undefined && [...nodesOf(declared)].some(isStatement);
  }
}

/** The parts of a class visible through the type it implements: its properties, and what its methods return. */
function membersOf(node: ts.ClassDeclaration): ts.Node[] {
  return node.members.flatMap((member) => {
    if (ts.isPropertyDeclaration(member)) return member.initializer ? [member.initializer] : [];
    const answers = ts.isMethodDeclaration(member) || ts.isGetAccessorDeclaration(member);
    if (!answers || !member.body) return [];
    return returnedBy(member.body);
  });
}

const returnedBy = (body: ts.Block): ts.Expression[] =>
  [...nodesOf(body)].filter(ts.isReturnStatement).flatMap(({ expression }) => expression ?? []);

/** Parameters of the enclosing functions and class. */
function parametersAround(node: ts.Node): ts.ParameterDeclaration[] {
  const found: ts.ParameterDeclaration[] = [];
  for (let at: ts.Node | undefined = node; at; at = at.parent) {
    if (ts.isFunctionLike(at)) found.push(...at.parameters);
    if (ts.isClassDeclaration(at)) {
      found.push(...at.members.filter(ts.isConstructorDeclaration).flatMap(({ parameters }) => [...parameters]));
    }
  }
  return found;
}

const isNameOfMember = ({ parent, ...node }: ts.Identifier): boolean =>
  (ts.isPropertyAccessExpression(parent) && parent.name.pos === node.pos) ||
  ((ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent)) && parent.name.pos === node.pos);

/** The local constant that a name refers to inside a function. */
function localOf(node: ts.Identifier): ts.Node | null {
  for (let at: ts.Node | undefined = node.parent; at && !ts.isSourceFile(at); at = at.parent) {
    if (!ts.isBlock(at)) continue;
    for (const statement of at.statements.filter(ts.isVariableStatement)) {
      const own = statement.declarationList.declarations.find(({ name }) => name.getText() === node.text);
      if (own?.initializer && own !== node.parent) return own.initializer;
    }
  }
  return null;
}
