import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../bench/stack/program.js';
import { FAILPOINTS, FAILPOINT_MODULE, FAILPOINT_SOURCE, failpointImport } from './failpoints.js';
import type { Mutation } from './mutations.js';
import { applyEdit, type SourceEdit } from './source-edit.js';

/** The build to run: this repository's, or one with failpoints; either may contain a planted bug. */
export type VariantName = 'production' | 'failpoints';

/** All that a build needs; installed packages are linked. */
const COPIED = ['src', 'migrations', 'extensions', 'scripts', 'package.json', '.swcrc', 'tsconfig.json'];
const built = new Map<string, Promise<string>>();
let mutation: Mutation | null = null;

/** From now on, every build contains the planted bug. */
export function plant(mistake: Mutation): void {
  mutation = mistake;
}

/** Creates a build, once, and returns its root. */
export function buildOf(variant: VariantName): Promise<string> {
  let root = built.get(variant);
  if (!root) built.set(variant, (root = build(variant)));
  return root;
}

async function build(variant: VariantName): Promise<string> {
  const edits = [...(mutation?.edits ?? []), ...(variant === 'failpoints' ? Object.values(FAILPOINTS) : [])];
  const root = edits.length === 0 ? ROOT : copyOf(mutation === null ? variant : `${variant}-${mutation.letter}`);
  for (const edit of edits) change(root, edit);
  if (variant === 'failpoints') addFailpoints(root);
  await promisify(execFile)(process.execPath, [join(root, 'scripts/build.js')], { cwd: root });
  return root;
}

function copyOf(name: string): string {
  const root = join(ROOT, '.cache/chaos/builds', name);
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  for (const path of COPIED.filter((entry) => existsSync(join(ROOT, entry)))) {
    cpSync(join(ROOT, path), join(root, path), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return root;
}

function change(root: string, edit: SourceEdit): void {
  const path = join(root, edit.path);
  writeFileSync(path, applyEdit(readFileSync(path, 'utf8'), edit));
}

function addFailpoints(root: string): void {
  mkdirSync(dirname(join(root, FAILPOINT_MODULE)), { recursive: true });
  writeFileSync(join(root, FAILPOINT_MODULE), FAILPOINT_SOURCE);
  for (const path of new Set(Object.values(FAILPOINTS).map((edit) => edit.path))) {
    const file = join(root, path);
    writeFileSync(file, failpointImport(path) + readFileSync(file, 'utf8'));
  }
}
