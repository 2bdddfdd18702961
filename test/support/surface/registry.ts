import { readdirSync } from 'node:fs';
import { joinSurfaces, type Surface, type WholeSurface } from './surface.js';

const FOLDER = new URL('./contexts/', import.meta.url);

/** What the contexts of `src` declare: every file of `contexts/`, so that a new one is found without being listed. */
export const serviceSurface: WholeSurface = joinSurfaces(
  await Promise.all(
    readdirSync(FOLDER)
      .filter((name) => name.endsWith('.ts'))
      .sort()
      .map(
        async (name) => ((await import(`./contexts/${name.replace(/\.ts$/, '.js')}`)) as { surface: Surface }).surface,
      ),
  ),
);
