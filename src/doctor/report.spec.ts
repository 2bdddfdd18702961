import { describe, expect, it } from '@jest/globals';
import { causeOf, fail, ok, warn } from './finding.js';
import { report } from './report.js';

describe('the report of the doctor', () => {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);

  it('is one aligned line for each check, in order, and ends well without a failure', async () => {
    lines.length = 0;
    const checks = [
      { what: 'Clock', run: () => ok('0.0 s from the database') },
      { what: 'Public URL', run: async () => warn('the service does not run', 'npm start') },
    ];
    expect(await report(checks, print)).toBe(0);
    expect(lines).toEqual([
      'ok    Clock       0.0 s from the database',
      'warn  Public URL  the service does not run  fix: npm start',
    ]);
  });

  it('goes on after a failure and ends with it', async () => {
    lines.length = 0;
    const checks = [
      { what: 'A', run: () => fail('broken', 'mend it') },
      { what: 'B', run: () => Promise.reject(new Error('postgres://user:secret@db/x is away\nmore')) },
      { what: 'C', run: () => ok('fine') },
    ];
    expect(await report(checks, print)).toBe(1);
    expect(lines).toEqual([
      'fail  A  broken  fix: mend it',
      'fail  B  the check itself failed (postgres://db/x is away)  fix: see the log of the service',
      'ok    C  fine',
    ]);
  });
});

describe('the cause of an error', () => {
  it.each([
    [Object.assign(new Error('connect ECONNREFUSED 10.0.0.1'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    [new Error('one\ntwo'), 'one'],
    ['text', 'text'],
  ])('is one short line', (error, expected) => {
    expect(causeOf(error)).toBe(expected);
  });
});
