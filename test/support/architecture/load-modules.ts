import { join } from 'node:path';
import type { SourceFile } from './source-file.js';

export type Class = abstract new (...args: never[]) => object;

/** Imports files of the repository and returns the classes they export, by name. */
export async function loadClasses(root: string, files: readonly SourceFile[]): Promise<Class[]> {
  const classes = new Set<Class>();
  for (const { path } of files) {
    const exported = (await import(join(root, path))) as Record<string, unknown>;
    for (const value of Object.values(exported)) if (typeof value === 'function') classes.add(value as Class);
  }
  return [...classes];
}
