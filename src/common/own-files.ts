import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/**
 * Creates a folder that only its owner may enter, with its parents, unless it exists. `recursive` of Node reports a
 * read-only file system as ENOENT, and never returns where an existing parent lets nothing be created (`/proc`).
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: FOLDER_MODE });
  } catch (error) {
    // Of two processes that start at once, one creates it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !existsSync(path)) throw error;
  }
}

/**
 * Writes a file that only its owner may read. One that cannot be written as a whole is removed: the next start would
 * take what is left of it for the secret.
 *
 * @throws EEXIST if it exists already: of two processes that start at once, one writes it and the other reads it
 */
export function writeNewFile(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: FILE_MODE, flag: 'wx' });
  } catch (error) {
    const fault = error as NodeJS.ErrnoException;
    // Only opening it names the path; when that failed, nothing was created here.
    if (fault.path === undefined) rmSync(path, { force: true });
    throw Object.assign(fault, { path });
  }
}
