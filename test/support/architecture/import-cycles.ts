import { importsOf } from './import-edges.js';
import type { SourceFile } from './source-file.js';

/**
 * Groups of files with circular imports (Tarjan's strongly connected components). Deferred imports impose no order of
 * evaluation and are not counted, nor are type-only imports outside src; in src, where they show which file knows which,
 * they are.
 */
export function findCycles(files: readonly SourceFile[]): string[] {
  const imports = new Map(
    files.map((file) => [
      file.path,
      importsOf(file).flatMap(({ to, typeOnly, deferred }) =>
        deferred || (typeOnly && !file.path.startsWith('src/')) ? [] : [to],
      ),
    ]),
  );
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[] = [];

  const visit = (path: string): number => {
    const index = order.size;
    order.set(path, index);
    lowest.set(path, index);
    stack.push(path);
    for (const next of imports.get(path) ?? []) {
      if (!imports.has(next)) continue;
      const reached = order.get(next);
      if (reached === undefined) lowest.set(path, Math.min(lowest.get(path)!, visit(next)));
      else if (stack.includes(next)) lowest.set(path, Math.min(lowest.get(path)!, reached));
    }
    if (lowest.get(path) === index) {
      const group = stack.splice(stack.indexOf(path));
      if (group.length > 1 || imports.get(path)?.includes(path)) cycles.push(group.sort().join(' <-> '));
    }
    return lowest.get(path)!;
  };

  for (const path of imports.keys()) if (!order.has(path)) visit(path);
  return cycles;
}
