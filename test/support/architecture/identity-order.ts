import { importsOf } from './import-edges.js';
import type { SourceFile } from './source-file.js';

/** The layers of identity, lowest first. A folder imports from lower layers, never from its own. */
export const IDENTITY_LAYERS: readonly (readonly string[])[] = [
  ['vocabulary'],
  ['credentials', 'custom-fields', 'messages', 'nonces', 'visits'],
  ['users', 'notices'],
  ['sessions'],
  ['assurance', 'console'],
  ['linking'],
  ['flows'],
  ['codes', 'single-sign-on'],
  ['methods'],
  ['mfa', 'accounts', 'devices'],
];

const HOME = 'src/identity/';

/** The folder of a file; each method counts as its own. Null for files directly in identity. */
function folderOf(path: string): { name: string; tier: number } | null {
  if (!path.startsWith(HOME)) return null;
  const [first, second, third] = path.slice(HOME.length).split('/');
  if (second === undefined) return null;
  const name = first === 'methods' && third !== undefined ? `methods/${second}` : first!;
  return { name, tier: IDENTITY_LAYERS.findIndex((tier) => tier.includes(first!)) };
}

/** Imports inside identity that go up or sideways, imports of its index by its own folders, and unplaced folders. */
export function findIdentityViolations(files: readonly SourceFile[]): string[] {
  const inside = files.filter(({ path }) => path.startsWith(HOME));
  const folders = inside.flatMap(({ path }) => folderOf(path) ?? []);
  const unknown = new Set(folders.filter(({ tier }) => tier < 0).map(({ name }) => `${HOME}${name}: has no place`));
  const wrong = inside.flatMap(importsOf).flatMap(({ from, to }) => {
    const importer = folderOf(from.path);
    if (!importer || !to.startsWith(HOME)) return [];
    const imported = folderOf(to);
    if (!imported) return [`${from.path} -> ${to}: imports the index of its own context`];
    const isFine = imported.name === importer.name || imported.tier < importer.tier;
    return isFine ? [] : [`${from.path} -> ${to}: ${importer.name} must not know ${imported.name}`];
  });
  return [...unknown, ...wrong];
}
