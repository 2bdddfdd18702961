import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Names of events that examples and suites declare: known to the whole process as soon as one of them is loaded. */
export const EVENTS_OF_SUITES: ReadonlySet<string> = new Set(
  globSync(['examples/**/*.ts', '{src,test}/**/*spec.ts'], { cwd: ROOT }).flatMap((file) =>
    [...readFileSync(`${ROOT}${file}`, 'utf8').matchAll(/defineEvent\(\s*'([\w.]+)'/g)].map(([, name = '']) => name),
  ),
);
