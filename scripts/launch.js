/** Runs a compiled program of this repository in this process, after a build if the sources have changed. */
import { existsSync } from 'node:fs';
import { enableCompileCache, setSourceMapsSupport } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dist, isBuildFresh, root } from './sources.js';

const REMEDIES = {
  EMFILE: 'let this process hold more files (ulimit -n)',
  ENOSPC: 'make room there',
  EDQUOT: 'make room there',
};

export async function launch(name) {
  if (!isBuildFresh()) await build();
  const program = [join(dist, 'src', `${name}.js`), join(dist, 'src', name, 'main.js')].find(existsSync);
  if (!program) fail(`There is no program "${name}" in ${join(dist, 'src')}.`);
  // Caches compiled code between starts; a no-op if the folder cannot be written.
  enableCompileCache(join(root, '.cache/compile'));
  setSourceMapsSupport(true);
  process.argv[1] = program;
  await import(pathToFileURL(program).href);
}

async function build() {
  let compile;
  try {
    ({ compile } = await import('./compile.js'));
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    fail('The sources have changed since the last build, but the compiler is not installed: run npm ci.');
  }
  try {
    await compile({ onlyIfStale: true });
  } catch (error) {
    if (!error.syscall) fail(error.message);
    // A write that fails has no path.
    const place = error.dest ?? error.path ?? join(root, '.cache');
    const remedy = REMEDIES[error.code] ?? 'give this user write access';
    fail(`The service cannot be built, because ${place} cannot be written (${error.code}): ${remedy}.`);
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
