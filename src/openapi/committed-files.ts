import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ErrorDefinition } from '../common/errors/index.js';
import type { OpenApiDocument } from './document-types.js';
import { errorFiles } from './errors/error-pages.js';

const ERROR_PAGES = 'docs/errors';

/** All generated files that are committed, by path from the project root. */
export function committedFiles(document: OpenApiDocument, errors: readonly ErrorDefinition[]): Map<string, string> {
  const pages = [...errorFiles(errors)].map(([name, text]) => [`${ERROR_PAGES}/${name}`, text] as const);
  return new Map([['openapi.json', `${JSON.stringify(document, null, 2)}\n`], ...pages]);
}

/** Pages of errors that are no longer defined. */
function leftOver(root: string, files: ReadonlyMap<string, string>): string[] {
  try {
    return readdirSync(join(root, ERROR_PAGES))
      .map((name) => `${ERROR_PAGES}/${name}`)
      .filter((path) => path.endsWith('.md') && !files.has(path));
  } catch {
    return [];
  }
}

/** Writes changed files and removes obsolete ones. Returns the paths it touched. */
export function writeCommitted(root: string, files: ReadonlyMap<string, string>): string[] {
  const touched = leftOver(root, files);
  for (const path of touched) rmSync(join(root, path));
  for (const [path, text] of files) {
    if (read(root, path) === text) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    touched.push(path);
  }
  return touched;
}

/** The differences between committed and generated files: for each file, the first lines that differ. */
export function findDrift(root: string, files: ReadonlyMap<string, string>): string[] {
  const stale = leftOver(root, files).map((path) => `${path}: belongs to no error`);
  const differing = [...files].flatMap(([path, text]) => {
    const committed = read(root, path);
    if (committed === null) return [`${path}: is missing`];
    return committed === text ? [] : [firstDifference(path, committed, text)];
  });
  return [...differing, ...stale];
}

const SHOWN_LINES = 3;

function firstDifference(path: string, committed: string, generated: string): string {
  const [before, after] = [committed.split('\n'), generated.split('\n')];
  const at = after.findIndex((line, index) => line !== before[index]);
  const start = at < 0 ? after.length : at;
  const show = (mark: string, lines: string[]): string[] =>
    lines.slice(start, start + SHOWN_LINES).map((line) => `  ${mark} ${line}`);
  return [`${path}: differs from line ${start + 1}`, ...show('-', before), ...show('+', after)].join('\n');
}

function read(root: string, path: string): string | null {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}
