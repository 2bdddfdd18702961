import { describe, expect, it } from '@jest/globals';
import type { Verdict } from '../checkers/finding.js';
import { renderSummary, statusOf, type Row } from './report.js';

const row = (id: string, verdict: Verdict): Row => ({
  ...{ id, verdict, title: `fault ${id}`, criterion: '', seconds: 1, figures: {} },
  findings: [{ what: 'landed', verdict, says: '' }],
});
const pass = row('F1', 'PASS');
const missed = row('F2', 'INCONCLUSIVE');
const broke = row('F3', 'FAIL');

describe('the report of a run', () => {
  it('names what did not run', () => {
    expect(renderSummary({ rows: [pass, missed], left: ['F7', 'F8'], seed: 1 }).split('\n')).toEqual([
      'F1   PASS         fault F1',
      'F2   INCONCLUSIVE fault F2 (landed)',
      'not run, because the time was over: F7 F8',
      'seed 1',
    ]);
  });

  it.each<[string, Row[], 'full' | 'smoke', string | null, 0 | 1]>([
    ['passes when every fault does', [pass], 'full', null, 0],
    ['fails for one that broke its criterion', [pass, broke], 'smoke', null, 1],
    ['fails for one that missed, when it is a full run', [pass, missed], 'full', null, 1],
    ['passes with one that missed, when it is a short run', [pass, missed], 'smoke', null, 0],
    ['fails for one that missed, when it looks for a planted mistake', [pass, missed], 'smoke', 'a', 1],
    ['fails when every one missed', [missed], 'smoke', null, 1],
    ['fails when none was run', [], 'smoke', null, 1],
  ])('%s', (_name, rows, size, mutation, status) => {
    expect(statusOf({ rows, size, mutation })).toBe(status);
  });
});
