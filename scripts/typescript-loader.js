/**
 * Lets plain Node run the TypeScript of this repository without a build, with the compiler settings of the build:
 * `node --import ./scripts/typescript-loader.js bench/some-program.ts`. Node's own type stripping cannot: decorators
 * emit code, and imports name the compiled file.
 */
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { transformSync } from '@swc/core';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const settings = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));

const isOurs = (url) => {
  if (!url?.startsWith('file:')) return false;
  const path = fileURLToPath(url);
  return path.startsWith(root + sep) && !path.includes(`${sep}node_modules${sep}`);
};

registerHooks({
  resolve(specifier, context, next) {
    if (/^\.{1,2}\/.*\.js$/.test(specifier) && isOurs(context.parentURL)) {
      const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
      if (existsSync(source)) return next(source.href, context);
    }
    return next(specifier, context);
  },
  load(url, context, next) {
    if (!url.endsWith('.ts') || !isOurs(url)) return next(url, context);
    const filename = fileURLToPath(url);
    const { code } = transformSync(readFileSync(filename, 'utf8'), {
      ...settings,
      swcrc: false,
      filename,
      sourceFileName: pathToFileURL(filename).href,
      sourceMaps: 'inline',
    });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
