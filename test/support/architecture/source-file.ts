import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A file, by its path from the repository root with forward slashes. Need not exist on disk. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** Every TypeScript file below a folder of the repository. */
export function readSources(root: string, folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.m?ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path: path.slice(root.length + 1).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }));
}

/** Virtual files from path and text, for the tests of the rules. */
export const virtual = (files: Record<string, string>): SourceFile[] =>
  Object.entries(files).map(([path, text]) => ({ path, text }));

const parsed = new WeakMap<SourceFile, ts.SourceFile>();

export function parse(file: SourceFile): ts.SourceFile {
  let tree = parsed.get(file);
  if (!tree) parsed.set(file, (tree = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ES2023, true)));
  return tree;
}

/** Every node of a file, parents first. */
export function* nodesOf(node: ts.Node): Generator<ts.Node> {
  const waiting = [node];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    yield at;
    const children: ts.Node[] = [];
    ts.forEachChild(at, (child) => void children.push(child));
    waiting.push(...children.reverse());
  }
}

export const lineOf = (node: ts.Node): number =>
  node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;

/** Files that exist for tests only. */
export const isForTests = ({ path }: SourceFile): boolean =>
  path.startsWith('test/') || /\.(spec|e2e-spec|surface|fixture)\.m?ts$|-vectors\.ts$/.test(path);

/** The folder of an extension, with a trailing slash: ours are in `examples`, the operator's in `extensions`. */
export const extensionOf = (path: string): string | null => /^(?:examples|extensions)\/[^/]+\//.exec(path)?.[0] ?? null;

/** The first folder below `src`, or null for a file directly in it or elsewhere. */
export const contextOf = (path: string): string | null => /^src\/([^/]+)\//.exec(path)?.[1] ?? null;
