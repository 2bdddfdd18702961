import { importsOf, type ImportEdge } from './import-edges.js';
import { contextOf, extensionOf, isForTests, type SourceFile } from './source-file.js';

/** Lowest first. A folder of `src` imports from lower tiers, never from its own. */
export const TIERS: readonly (readonly string[])[] = [
  ['common'],
  ['config', 'patches'],
  ['outbound'],
  ['oidc'],
  ['database', 'vault'],
  ['queue', 'moving'],
  ['auth'],
  ['idempotency', 'pages', 'health', 'observability'],
  ['organizations'],
  ['environments'],
  ['networks', 'providers'],
  ['identity'],
  ['custody'],
  ['wallets', 'access-control', 'funding'],
  ['waas'],
  ['webhooks', 'billing', 'reporting'],
  ['provisioning'],
  ['dev'],
  ['openapi'],
  ['bootstrap'],
  ['cli', 'doctor'],
];

/** Programs that start the service: they may import the files directly in `src`. */
const PROGRAMS = new Set(['bootstrap', 'cli', 'doctor']);

const tierOf = (context: string): number => TIERS.findIndex((tier) => tier.includes(context));

/** Whether a context is in the same tier or above: the other one must not know it. */
export const isAbove = (context: string, other: string): boolean => tierOf(context) >= tierOf(other);

const COMPOSITION = 'src/app.module.ts';
const MIGRATION = /\/\d+-[^/]+\.ts$/;

function problemOf(edge: ImportEdge): string | null {
  if (edge.from.path.startsWith('migrations/')) return problemOfMigrations(edge);
  return extensionOf(edge.from.path) === null ? problemOfSource(edge) : problemOfExtension(edge);
}

function problemOfSource({ from, to }: ImportEdge): string | null {
  const importer = contextOf(from.path);
  const imported = contextOf(to);
  if (!to.startsWith('src/')) {
    const isDoor = to.startsWith('extensions/') && to === `${extensionOf(to)}index.ts`;
    const allowed =
      isForTests(from) ||
      (importer === 'database' && to.startsWith('migrations/')) ||
      (from.path === COMPOSITION && isDoor);
    return allowed ? null : 'leaves src';
  }
  if (importer === null || importer === imported) return null;
  if (imported === null) return PROGRAMS.has(importer) ? null : 'imports the composition root';
  if (isAbove(imported, importer)) return `${importer} must not know ${imported}`;
  return null;
}

/** An extension is above every context. */
function problemOfExtension({ from, to }: ImportEdge): string | null {
  if (isForTests(from)) return null;
  if (to.startsWith('src/')) return contextOf(to) === null ? 'imports the composition root' : null;
  const of = extensionOf(to);
  if (of === null) return 'leaves src and extensions';
  return of === extensionOf(from.path) || to === `${of}index.ts` ? null : 'goes past the door';
}

/** The database loads migrations before any module: importing a module from there creates a cycle. */
const problemOfMigrations = ({ to }: ImportEdge): string | null =>
  MIGRATION.test(to) ? null : 'migrations import migrations alone, by their file';

/** Imports that violate the order, and folders without a place in it. */
export function findOrderViolations(files: readonly SourceFile[]): string[] {
  const contexts = new Set(files.map(({ path }) => contextOf(path)).filter((context) => context !== null));
  const unknown = [...contexts].filter((context) => tierOf(context) < 0).map((name) => `src/${name}: has no tier`);
  const wrong = files.flatMap(importsOf).flatMap((edge) => {
    const problem = problemOf(edge);
    return problem ? [`${edge.from.path} -> ${edge.to}: ${problem}`] : [];
  });
  return [...unknown, ...wrong];
}

const isHeld = (path: string): boolean => path.startsWith('src/') || extensionOf(path) !== null;

/** Imports of a folder of `src` from elsewhere that bypass its `index.ts`. `common` is open by sub-folder. */
export function findDeepImports(files: readonly SourceFile[]): string[] {
  return files.flatMap(importsOf).flatMap(({ from, to }) => {
    const imported = contextOf(to);
    const isDoor = imported === null || imported === 'common' || to === `src/${imported}/index.ts`;
    return isDoor || imported === contextOf(from.path) || !isHeld(from.path) ? [] : [`${from.path} -> ${to}`];
  });
}
