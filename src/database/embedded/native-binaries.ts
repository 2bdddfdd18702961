import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { readdirSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError } from './embedded-postgres.errors.js';
import { isReachableBy } from './server-account.js';
import type { ServerAccount } from './server-account.js';

const PROGRAMS = ['initdb', 'pg_ctl', 'postgres'];

interface LibraryLink {
  /** Paths relative to the package, for example `native/lib/libpq.so.5.18` and `native/lib/libpq.so.5`. */
  readonly source: string;
  readonly target: string;
}

/**
 * The folder with `bin`, `lib` and `share` of the PostgreSQL binaries for this platform.
 *
 * @param from module whose dependencies are searched.
 * @throws EmbeddedPostgresError when the optional dependency is not installed.
 */
export function locateNative(from: string = import.meta.url): string {
  const { platform, arch } = process;
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  try {
    const wrapper = createRequire(from).resolve('embedded-postgres');
    return realpathSync(join(dirname(createRequire(wrapper).resolve(name)), '..', 'native'));
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `the built-in PostgreSQL for ${platform}-${arch} is not installed; set DATABASE_URL to a PostgreSQL server, ` +
        'or run npm ci without --omit=optional',
      { cause },
    );
  }
}

/**
 * Makes the binaries runnable and returns the folder to run them from: `native` itself, or a copy if the account cannot
 * read it (a clone under a folder of mode 0700) or it cannot be completed in place (a read-only install).
 *
 * @param copies folder for such a copy; nobody else may have write access to it.
 */
export function prepareNative(native: string, account: ServerAccount | null, copies: string): string {
  const readable = account === null || PROGRAMS.every((name) => isReachableBy(account, program(native, name)));
  if (readable && completeInPlace(native)) return native;
  return copyOnce(native, copies);
}

/** The path of one program below the folder that `prepareNative` returned. */
export function program(native: string, name: string): string {
  return join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
}

/** Does what the package's install script does, for installs with `--ignore-scripts`. */
function completeInPlace(native: string): boolean {
  try {
    complete(native);
    return true;
  } catch {
    return false;
  }
}

function complete(native: string): void {
  for (const { source, target } of readLinks(native)) {
    const link = join(native, '..', target);
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  if (process.platform === 'win32') return;
  for (const name of PROGRAMS) {
    const path = program(native, name);
    if ((statSync(path).mode & 0o555) !== 0o555) chmodSync(path, 0o755);
  }
}

function readLinks(native: string): LibraryLink[] {
  const path = join(native, 'pg-symlinks.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as LibraryLink[]) : [];
}

/** The copy is renamed to its final name once complete, so an incomplete one is never run. */
function copyOnce(native: string, folder: string): string {
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string };
  const copy = join(folder, `postgres-${version}`, 'native');
  if (existsSync(copy)) return copy;
  const partial = `${dirname(copy)}.${process.pid}`;
  try {
    mkdirSync(partial, { recursive: true });
    const wanted = (path: string): boolean => !path.endsWith('.a') && basename(path) !== 'pkgconfig';
    cpSync(native, join(partial, 'native'), { recursive: true, filter: wanted, verbatimSymlinks: true });
    complete(join(partial, 'native'));
    openToAll(partial);
    chmodSync(folder, 0o755);
    renameSync(partial, dirname(copy));
  } catch (cause) {
    if (existsSync(copy)) return copy;
    throw new EmbeddedPostgresError(
      `the PostgreSQL binaries in ${native} cannot be used from there nor copied to ${folder}; ` +
        'install under a folder that every user may enter, or set DATABASE_URL',
      { cause },
    );
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
  return copy;
}

/** Files installed under a strict umask are readable by their owner only. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o111 ? 0o755 : 0o644);
  }
}
