import ts from 'typescript';

/** A declaration with a body to follow. */
type Runs = ts.MethodDeclaration | ts.MethodSignature | ts.FunctionDeclaration | ts.GetAccessorDeclaration | Kept;
/** A function stored in a constant or a property. */
type Kept = ts.VariableDeclaration | ts.PropertyDeclaration;

/**
 * Functions that use the `UnitOfWork`, each of whose units is a separate transaction, although a handler with
 * `idempotent: true` calls them: what they write is not part of the call's transaction. Every call is followed, and one
 * of an abstract method or an interface into each implementation.
 *
 * @returns the name of the function, and one call path to it
 */
export function findOwnUnits(program: ts.Program): Map<string, string> {
  const files = program.getSourceFiles().filter((file) => !program.isSourceFileFromExternalLibrary(file));
  const sources = files.filter(({ isDeclarationFile }) => !isDeclarationFile);
  const reader = new Reader(program.getTypeChecker(), sources);
  const found = new Map<string, string>();
  for (const handler of reader.idempotentHandlers()) {
    const cameFrom = new Map<Runs, Runs | null>([[handler, null]]);
    // Grows during iteration.
    for (const at of cameFrom.keys()) {
      const { isOwnUnit, leadsTo } = reader.read(at);
      if (isOwnUnit && !found.has(nameOf(at))) found.set(nameOf(at), wayTo(at, cameFrom));
      for (const next of leadsTo) if (!cameFrom.has(next)) cameFrom.set(next, at);
    }
  }
  return found;
}

class Reader {
  private readonly known = new Map<Runs, { isOwnUnit: boolean; leadsTo: Set<Runs> }>();
  private readonly sources: ReadonlySet<ts.SourceFile>;
  private readonly heirs = new Map<ts.Symbol, ts.ClassDeclaration[]>();
  private readonly classes: ts.ClassDeclaration[] = [];

  constructor(
    private readonly checker: ts.TypeChecker,
    sources: readonly ts.SourceFile[],
  ) {
    this.sources = new Set(sources);
    for (const source of sources) this.collect(source);
    for (const heir of this.classes) {
      for (const { expression } of (heir.heritageClauses ?? []).flatMap(({ types }) => types)) {
        const parent = this.symbolAt(expression);
        if (parent) this.heirs.set(parent, [...(this.heirs.get(parent) ?? []), heir]);
      }
    }
  }

  idempotentHandlers(): ts.MethodDeclaration[] {
    return this.classes
      .flatMap(({ members }) => [...members])
      .filter((member) => ts.isMethodDeclaration(member))
      .filter((method) => ts.getDecorators(method)?.some((one) => /\bidempotent: true\b/.test(one.getText())));
  }

  read(at: Runs): { isOwnUnit: boolean; leadsTo: Set<Runs> } {
    const known = this.known.get(at);
    if (known) return known;
    const read = { isOwnUnit: false, leadsTo: new Set<Runs>() };
    this.known.set(at, read);
    const visit = (node: ts.Node): void => {
      if (ts.isIdentifier(node)) {
        const symbol = this.symbolAt(node);
        if (symbol && this.isUnitOfWork(symbol, node)) read.isOwnUnit = true;
        for (const declared of symbol?.declarations ?? []) this.follow(declared, read.leadsTo);
      }
      ts.forEachChild(node, visit);
    };
    const body = 'initializer' in at ? at.initializer : 'body' in at ? at.body : undefined;
    if (body) visit(body);
    return read;
  }

  private collect(node: ts.Node): void {
    if (ts.isClassDeclaration(node)) this.classes.push(node);
    ts.forEachChild(node, (child) => this.collect(child));
  }

  private symbolAt(node: ts.Node): ts.Symbol | undefined {
    const symbol = this.checker.getSymbolAtLocation(node);
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  private isUnitOfWork(symbol: ts.Symbol, node: ts.Identifier): boolean {
    const isValue = (symbol.flags & (ts.SymbolFlags.Property | ts.SymbolFlags.Variable)) !== 0;
    return isValue && this.checker.getTypeOfSymbolAtLocation(symbol, node).symbol?.name === 'UnitOfWork';
  }

  private follow(declared: ts.Declaration, into: Set<Runs>): void {
    if (!this.sources.has(declared.getSourceFile()) || !isRun(declared)) return;
    into.add(declared);
    const { parent, name } = declared;
    if (!ts.isClassDeclaration(parent) && !ts.isInterfaceDeclaration(parent)) return;
    const symbol = parent.name && this.symbolAt(parent.name);
    if (symbol && name) this.followHeirs(symbol, name.getText(), into);
  }

  private followHeirs(parent: ts.Symbol, name: string, into: Set<Runs>): void {
    for (const heir of this.heirs.get(parent) ?? []) {
      for (const member of heir.members) if (member.name?.getText() === name && isRun(member)) into.add(member);
      const symbol = heir.name && this.symbolAt(heir.name);
      if (symbol) this.followHeirs(symbol, name, into);
    }
  }
}

/** Constants of a function are covered by its body. */
const isRun = (node: ts.Node): node is Runs =>
  ts.isMethodDeclaration(node) ||
  ts.isMethodSignature(node) ||
  ts.isFunctionDeclaration(node) ||
  ts.isGetAccessorDeclaration(node) ||
  (ts.isPropertyDeclaration(node) && node.initializer !== undefined) ||
  (ts.isVariableDeclaration(node) && ts.isSourceFile(node.parent.parent.parent));

function nameOf({ parent, name }: Runs): string {
  const owner = ts.isClassDeclaration(parent) || ts.isInterfaceDeclaration(parent) ? `${parent.name?.text}.` : '';
  return `${owner}${name?.getText()}`;
}

function wayTo(end: Runs, cameFrom: ReadonlyMap<Runs, Runs | null>): string {
  const way: string[] = [];
  for (let at: Runs | null = end; at; at = cameFrom.get(at) ?? null) way.unshift(nameOf(at));
  return way.join(' > ');
}
