import { importsOf, type ImportEdge } from './import-edges.js';
import type { SourceFile } from './source-file.js';

/** All files loaded with a file, through its imports and theirs. */
export function reachOf(entry: string, files: readonly SourceFile[]): ImportEdge[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const seen = new Set([entry]);
  const waiting = [entry];
  const edges: ImportEdge[] = [];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const file = byPath.get(path);
    for (const edge of file ? importsOf(file) : []) {
      if (edge.typeOnly) continue;
      edges.push(edge);
      if (seen.has(edge.to)) continue;
      seen.add(edge.to);
      waiting.push(edge.to);
    }
  }
  return edges;
}
