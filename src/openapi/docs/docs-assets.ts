import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Asset } from '../../pages/index.js';

const explorer = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const ofExplorer = (name: string): URL => pathToFileURL(join(explorer, name));

const FILES: Record<string, () => Asset> = {
  'docs.css': () => new Asset(new URL('./docs.css', import.meta.url), 'css'),
  'docs.js': () => new Asset(new URL('./docs.js', import.meta.url), 'js'),
  'factors.js': () => new Asset(new URL('./factors.js', import.meta.url), 'js'),
  'subtrees.js': () => new Asset(new URL('./subtrees.js', import.meta.url), 'js'),
  'swagger-ui.css': () => new Asset(ofExplorer('swagger-ui.css'), 'css'),
  'swagger-ui-bundle.js': () => new Asset(ofExplorer('swagger-ui-bundle.js'), 'js'),
};

const loaded = new Map<string, Asset>();

/** A file of the explorer, read on first use; null for unknown names. */
export function findDocsAsset(name: string): Asset | null {
  const known = loaded.get(name);
  if (known || !Object.hasOwn(FILES, name)) return known ?? null;
  const asset = FILES[name]?.() ?? null;
  if (asset) loaded.set(name, asset);
  return asset;
}
