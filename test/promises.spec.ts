import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';

interface Promised {
  promise: string;
  file: string;
  sentence: string;
}

const ROW = /^\| (?<promise>[^|]+?) +\| [^|]+\| `(?<file>[^`]+)`: (?<sentence>[^|]+?) +\|$/gm;

const promisesIn = (text: string): Promised[] =>
  [...text.matchAll(ROW)].map(({ groups }) => groups as unknown as Promised);

/** Promises whose test is not there under its name. */
const unshown = (promises: readonly Promised[]): string[] =>
  promises
    .filter(({ file, sentence }) => !existsSync(file) || !readFileSync(file, 'utf8').includes(sentence))
    .map(({ promise }) => promise);

describe('the promises of SECURITY.md', () => {
  it('have the tests that they name', () => {
    const promises = promisesIn(readFileSync('SECURITY.md', 'utf8'));
    expect(promises.length).toBeGreaterThan(12);
    expect(unshown(promises)).toEqual([]);
  });

  it('would be missed: one that names a test which is not there', () => {
    const planted = '| Nothing is ever lost | yes | `test/promises.spec.ts`: keeps every' + ' sock |';
    expect(unshown(promisesIn(planted))).toEqual(['Nothing is ever lost']);
  });
});
