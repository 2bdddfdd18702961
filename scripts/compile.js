/** Compiles `src`, `migrations` and `extensions` into `dist`, which keeps their layout: `src/main.ts` becomes `dist/src/main.js`. */
import { closeSync, copyFileSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { transformFile } from '@swc/core';
import { bundleCustody } from './custody-bundle.js';
import { dist, fingerprint, isBuildFresh, listSources, root, stampFile } from './sources.js';

/** The script with which /dev/app handles the user's shares of shared keys. */
const CLIENT = 'src/dev/app/scripts/custody.js';

/**
 * Returns the number of files compiled; 0 when `onlyIfStale` and another process has just built the same sources.
 * The previous build stays in place until the new one is complete, so a syntax error leaves the old one usable.
 */
export async function compile({ onlyIfStale = false } = {}) {
  const unlock = await lock();
  const fresh = join(root, `.cache/build-${process.pid}`);
  try {
    if (onlyIfStale && isBuildFresh()) return 0;
    const sources = listSources();
    const stamp = fingerprint(sources);
    for (const folder of new Set([...sources.scripts, ...sources.assets].map(dirname))) {
      mkdirSync(join(fresh, folder), { recursive: true });
    }
    const settings = JSON.parse(readFileSync(join(root, '.swcrc'), 'utf8'));
    await Promise.all(sources.scripts.map((path) => compileFile(path, fresh, settings)));
    for (const path of sources.assets) copyFileSync(join(root, path), join(fresh, path));
    if (sources.client.length > 0) writeFileSync(join(fresh, CLIENT), await bundleCustody());
    writeFileSync(join(fresh, basename(stampFile)), stamp);
    rmSync(dist, { recursive: true, force: true });
    renameSync(fresh, dist);
    return sources.scripts.length;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    unlock();
  }
}

async function compileFile(path, target, settings) {
  const output = path.replace(/\.ts$/, '.js');
  const { code, map } = await transformFile(join(root, path), {
    ...settings,
    swcrc: false,
    sourceMaps: true,
    inlineSourcesContent: false,
    sourceFileName: relative(dirname(join(dist, path)), join(root, path)),
  }).catch((error) => {
    // The compiler shows the source line and then appends its own stack, which is cut off here.
    throw new Error(`${path} does not compile:\n${error.message.split('\n\nCaused by')[0].trimEnd()}`);
  });
  const name = basename(output);
  await Promise.all([
    writeFile(join(target, output), `${code}\n//# sourceMappingURL=${name}.map\n`),
    writeFile(join(target, `${output}.map`), map),
  ]);
}

/** One build at a time: two services started together on changed sources would replace each other's `dist`. */
export async function lock() {
  const path = join(root, '.cache/build.lock');
  mkdirSync(dirname(path), { recursive: true });
  for (;;) {
    try {
      const fd = openSync(path, 'wx');
      writeFileSync(fd, String(process.pid));
      closeSync(fd);
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (isAbandoned(path)) rmSync(path, { force: true });
      else await delay(50);
    }
  }
}

function isAbandoned(path) {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    // The file is empty for an instant between its creation and the write.
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
