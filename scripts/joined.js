/**
 * Runs the service as the image does, from the bundle made by `npm run build`, which is rebuilt if missing or stale. For
 * callers that start the service many times, such as the tests: `npm start` loads the compiled modules one by one, which
 * takes two and a half times as long and is worth it only while sources change.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import './node-version.js';
import { dist, isBuildFresh, root } from './sources.js';

const { isBundleFresh } = await import('./bundle.js');
if (!isBuildFresh() || !isBundleFresh()) await build();
enableCompileCache(join(root, '.cache/compile'));
// The signer is a separate program, which loads only a small part of the service.
const program = join(dist, process.env.ROLE?.trim() === 'signer' ? 'signer.js' : 'service.js');
process.argv[1] = program;
await import(pathToFileURL(program).href);

async function build() {
  const { compile, lock } = await import('./compile.js');
  const { bundle } = await import('./bundle.js');
  await compile({ onlyIfStale: true });
  const unlock = await lock();
  try {
    // Another process may have built it in the meantime.
    if (!isBundleFresh()) await bundle();
  } finally {
    unlock();
  }
}
