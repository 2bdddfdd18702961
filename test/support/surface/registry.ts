import { globSync, readdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { joinSurfaces, type Surface, type WholeSurface } from './surface.js';

const CONTEXTS = fileURLToPath(new URL('./contexts/', import.meta.url));
const EXTENSIONS = fileURLToPath(new URL('../../../extensions/', import.meta.url));

const files = [
  ...readdirSync(CONTEXTS)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${CONTEXTS}${name}`),
  ...globSync('*/*.surface.ts', { cwd: EXTENSIONS }).map((name) => `${EXTENSIONS}${name}`),
];

/** The declarations of the contexts of `src` (every file of `contexts/`) and of extensions, found without a list. */
export const serviceSurface: WholeSurface = joinSurfaces(
  await Promise.all(
    files.sort().map(async (file) => ((await import(pathToFileURL(file).href)) as { surface: Surface }).surface),
  ),
);
