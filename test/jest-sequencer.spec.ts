import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { LONGER_THAN_THEY_LOOK } from '../scripts/jest/sequencer.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const suites = globSync('{test,examples}/**/*.e2e-spec.ts', { cwd: root });

const stale = (patterns: readonly RegExp[]): RegExp[] =>
  patterns.filter((pattern) => !suites.some((name) => pattern.test(name)));

it('the suites that begin first are there', () => {
  const gone = /^test\/e2e\/a-suite-that-was-renamed\./;
  expect(stale([...LONGER_THAN_THEY_LOOK, gone])).toEqual([gone]);
});
