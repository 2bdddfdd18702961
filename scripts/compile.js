/** Compiles `src`, `migrations` and `extensions` into `dist`, which keeps their layout: `src/main.ts` becomes `dist/src/main.js`. */
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
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
    unlock();
    remove(fresh);
  }
}

/** What is left in it does no harm, and why the build failed is what has to be said. */
function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    console.error(`${folder} is left behind (${error.message}): remove it.`);
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
    const [shown] = error.message.trim().split('\n\nStack backtrace')[0].split('\n\nCaused by');
    throw new Error(`${path} does not compile:\n${shown.trimEnd()}`);
  });
  const name = basename(output);
  // One after the other: opened together, thousands of files are more than many systems let a process hold.
  writeFileSync(join(target, output), `${code}\n//# sourceMappingURL=${name}.map\n`);
  writeFileSync(join(target, `${output}.map`), map);
}

/** A build that runs touches its lock this often. */
const TOUCHED_MS = 1_000;
/** A lock that nobody touched for so long is abandoned, even if another process has the number of the one that died. */
const ABANDONED_MS = 60_000;
/** Whoever waits longer than this says for what. */
const SILENT_MS = 2_000;

/** One build at a time: two services started together on changed sources would replace each other's `dist`. */
export async function lock() {
  const path = join(root, '.cache/build.lock');
  mkdirSync(dirname(path), { recursive: true });
  const waits = setTimeout(() => console.error(`Waits for another build, which holds ${path}.`), SILENT_MS);
  try {
    while (!take(path)) {
      if (isAbandoned(path)) rmSync(path, { force: true });
      else await delay(50);
    }
  } finally {
    clearTimeout(waits);
  }
  const touching = setInterval(() => touch(path), TOUCHED_MS).unref();
  return () => {
    clearInterval(touching);
    rmSync(path, { force: true });
  };
}

/** @returns false if another process holds the lock */
function take(path) {
  let fd;
  try {
    fd = openSync(path, 'wx');
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeFileSync(fd, String(process.pid));
    return true;
  } catch (error) {
    rmSync(path, { force: true });
    throw Object.assign(error, { path });
  } finally {
    closeSync(fd);
  }
}

function touch(path) {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // Somebody removed it; the build goes on.
  }
}

function isAbandoned(path) {
  try {
    if (Date.now() - statSync(path).mtimeMs > ABANDONED_MS) return true;
    const pid = Number(readFileSync(path, 'utf8'));
    // The file is empty for an instant between its creation and the write.
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
