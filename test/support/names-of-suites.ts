import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * What suites declare for themselves. Modules are loaded once per worker, so a suite's declarations stay known to the
 * process afterwards, although they are not the service's.
 */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SUITES = ['{src,test}/**/*spec.ts', 'test/support/**/*.ts'];

const namesIn = (files: string[], name: RegExp): ReadonlySet<string> =>
  new Set(
    globSync(files, { cwd: ROOT }).flatMap((file) =>
      [...readFileSync(`${ROOT}${file}`, 'utf8').matchAll(name)].map(([, found = '']) => found),
    ),
  );

/** Events of examples and suites. */
export const EVENTS_OF_SUITES = namesIn(['examples/**/*.ts', ...SUITES], /defineEvent\(\s*'([\w.]+)'/g);

/** Statements of suites; those of examples follow the service's naming. */
export const STATEMENTS_OF_SUITES = namesIn(SUITES, /[sS]tatement\(\s*'([\w.]+)'/g);

/** Statements of examples. */
export const STATEMENTS_OF_EXAMPLES = namesIn(['examples/**/*.ts'], /[sS]tatement\(\s*'([\w.]+)'/g);
