import { posix } from 'node:path';
import ts from 'typescript';
import { contextOf, nodesOf, parse, type SourceFile } from './source-file.js';

/** The origin of a name: a declaration in a repository file. */
export interface Declared {
  readonly file: SourceFile;
  readonly node: ts.Node;
}

interface Imported {
  readonly path: string;
  readonly name: string;
}

/** What the files declare, import and re-export, by name. */
export class Names {
  private readonly byPath: ReadonlyMap<string, SourceFile>;
  private readonly imports = new Map<SourceFile, Map<string, Imported>>();
  private readonly declarations = new Map<SourceFile, Map<string, ts.Node>>();

  constructor(files: readonly SourceFile[]) {
    this.byPath = new Map(files.map((file) => [file.path, file]));
  }

  /** The context that a name is imported from; null if it is from the same file or context, or a library. */
  contextBehind(file: SourceFile, name: string): string | null {
    const imported = this.importsOf(file).get(name);
    const context = imported ? contextOf(imported.path) : null;
    return context === contextOf(file.path) ? null : context;
  }

  /** Follows imports and index files. */
  declarationOf(file: SourceFile, name: string, seen = new Set<string>()): Declared | null {
    const key = `${file.path} ${name}`;
    if (seen.has(key)) return null;
    seen.add(key);
    const node = this.declaredIn(file).get(name);
    if (node) return { file, node };
    const imported = this.importsOf(file).get(name);
    const target = imported && this.byPath.get(imported.path);
    return target ? this.declarationOf(target, imported.name, seen) : null;
  }

  /** Names that a file re-exports, such as the index of a context. */
  handedOn(file: SourceFile): string[] {
    return [...nodesOf(parse(file))].filter(ts.isExportSpecifier).map(({ name }) => name.text);
  }

  private importsOf(file: SourceFile): Map<string, Imported> {
    let known = this.imports.get(file);
    if (!known) this.imports.set(file, (known = readImports(file)));
    return known;
  }

  private declaredIn(file: SourceFile): Map<string, ts.Node> {
    let known = this.declarations.get(file);
    if (!known) this.declarations.set(file, (known = readDeclarations(file)));
    return known;
  }
}

function readImports(file: SourceFile): Map<string, Imported> {
  const names = new Map<string, Imported>();
  for (const statement of parse(file).statements) {
    const specifier = moduleOf(statement);
    if (!specifier?.startsWith('.')) continue;
    const path = posix.join(posix.dirname(file.path), specifier).replace(/\.js$/, '.ts');
    for (const element of elementsOf(statement)) {
      names.set(element.name.text, { path, name: (element.propertyName ?? element.name).text });
    }
  }
  return names;
}

function moduleOf(statement: ts.Statement): string | undefined {
  const isEither = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement);
  const specifier = isEither ? statement.moduleSpecifier : undefined;
  return specifier && ts.isStringLiteral(specifier) ? specifier.text : undefined;
}

function elementsOf(statement: ts.Statement): readonly (ts.ImportSpecifier | ts.ExportSpecifier)[] {
  if (ts.isExportDeclaration(statement)) {
    return statement.exportClause && ts.isNamedExports(statement.exportClause) ? statement.exportClause.elements : [];
  }
  const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined;
  return bindings && ts.isNamedImports(bindings) ? bindings.elements : [];
}

function readDeclarations(file: SourceFile): Map<string, ts.Node> {
  const names = new Map<string, ts.Node>();
  for (const statement of parse(file).statements) {
    if (ts.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations) {
        if (ts.isIdentifier(declaration.name)) names.set(declaration.name.text, declaration);
      }
    } else if ((ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) && statement.name) {
      names.set(statement.name.text, statement);
    }
  }
  return names;
}
