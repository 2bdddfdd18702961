/** What is compiled, and whether the last build is up to date. Must be cheap: `npm start` checks it on every start. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const dist = join(root, 'dist');
export const stampFile = join(dist, '.stamp');

/** A repository may have no extensions. */
const FOLDERS = ['src', 'migrations', 'extensions'];
const BUILD_INPUTS = ['.swcrc', 'scripts/compile.js', 'scripts/custody-bundle.js', 'scripts/sources.js'];
/** Bundled into one file for browsers. */
const CLIENT = 'clients/custody/src';
/** Tests, and test descriptions of an extension's operations. */
const FOR_TESTS = /\.(spec|e2e-spec|surface|d)\.ts$/;
const ASSET = /\.(json|html|css|js|svg|txt)$/;

/** Paths relative to the root, in a stable order. */
export function listSources() {
  const scripts = [];
  const assets = [];
  for (const folder of FOLDERS.filter((name) => existsSync(join(root, name)))) {
    for (const entry of readdirSync(join(root, folder), { recursive: true }).sort()) {
      if (entry.endsWith('.ts') && !FOR_TESTS.test(entry)) scripts.push(join(folder, entry));
      else if (ASSET.test(entry)) assets.push(join(folder, entry));
    }
  }
  const modules = existsSync(join(root, CLIENT)) ? readdirSync(join(root, CLIENT), { recursive: true }).sort() : [];
  const client = modules.filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'));
  return { scripts, assets, client: client.map((name) => join(CLIENT, name)) };
}

/** Hashes names and contents, not times: a checkout or an image layer that only touches files needs no build. */
export function fingerprint({ scripts, assets, client }) {
  const hash = createHash('sha256');
  for (const path of [...BUILD_INPUTS, ...scripts, ...assets, ...client]) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** Also true if only the build was shipped, without sources to compare it with. */
export function isBuildFresh() {
  if (!existsSync(join(root, 'src'))) return true;
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === fingerprint(listSources());
}
