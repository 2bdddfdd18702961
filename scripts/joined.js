/**
 * Runs the service as the image does, from the one file that `npm run build` makes; the file is made where it is missing or
 * stale. For whoever starts the service many times, as the tests do: `npm start` runs the compiled modules one by one,
 * which takes two and a half times as long and is worth it while sources change.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import './node-version.js';
import { dist, isBuildFresh, root } from './sources.js';

const { isBundleFresh } = await import('./bundle.js');
if (!isBuildFresh() || !isBundleFresh()) await build();
enableCompileCache(join(root, '.cache/compile'));
// A signer is a program of its own, which loads a small part of the service.
const program = join(dist, process.env.ROLE?.trim() === 'signer' ? 'signer.js' : 'service.js');
process.argv[1] = program;
await import(pathToFileURL(program).href);

async function build() {
  const { compile, lock } = await import('./compile.js');
  const { bundle } = await import('./bundle.js');
  await compile({ onlyIfStale: true });
  const unlock = await lock();
  try {
    // Another one may have been quicker.
    if (!isBundleFresh()) await bundle();
  } finally {
    unlock();
  }
}
