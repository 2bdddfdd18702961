import { importsOf } from './import-edges.js';
import { contextOf, isForTests, type SourceFile } from './source-file.js';

const ROOT = 'composition root';

/**
 * The folders of `src` that use each file of `common`, directly or through other files of it. Tests do not count: a
 * file used only by them is not shared.
 */
export function usersOfCommon(files: readonly SourceFile[]): Map<string, Set<string>> {
  const sources = files.filter((file) => file.path.startsWith('src/') && !isForTests(file));
  const common = sources.map(({ path }) => path).filter((path) => contextOf(path) === 'common');
  const importers = new Map<string, string[]>(common.map((path) => [path, []]));
  for (const { from, to } of sources.flatMap(importsOf)) importers.get(to)?.push(from.path);

  const usersOf = (path: string, seen: Set<string>): Set<string> => {
    const users = new Set<string>();
    for (const importer of importers.get(path) ?? []) {
      if (contextOf(importer) !== 'common') users.add(contextOf(importer) ?? ROOT);
      else if (!seen.has(importer)) for (const user of usersOf(importer, seen.add(importer))) users.add(user);
    }
    return users;
  };
  return new Map(common.map((path) => [path, usersOf(path, new Set([path]))]));
}

/** Files of `common` with fewer than two users, except those covered by `allowed` (path prefix to reason). */
export function findUnshared(files: readonly SourceFile[], allowed: Record<string, string>): string[] {
  return [...usersOfCommon(files)]
    .filter(([path, users]) => users.size < 2 && !Object.keys(allowed).some((start) => path.startsWith(start)))
    .map(([path, users]) => `${path}: used by ${[...users].join(', ') || 'nothing'}`);
}
