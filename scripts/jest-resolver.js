/**
 * Finds modules for Jest. An import of this repository names the compiled file (`./clock.js`), which stands here as
 * `./clock.ts`. The name is settled with one look at the file system, and Jest remembers the answer for all suites of a
 * worker; what its `moduleNameMapper` maps it looks for again in every suite, one file extension after the other.
 */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';

const RELATIVE = /^\.{1,2}\/.*\.js$/;
const INSTALLED = /[\\/]node_modules[\\/]/;

export default function findModule(specifier, options) {
  if (RELATIVE.test(specifier) && !INSTALLED.test(options.basedir)) {
    const source = resolve(options.basedir, specifier.replace(/\.js$/, '.ts'));
    if (statSync(source, { throwIfNoEntry: false })?.isFile()) return source;
  }
  return options.defaultResolver(specifier, options);
}
