import { describe, expect, it } from '@jest/globals';
import { judge, renderTable } from './table.js';

const cellsOf = (line: string | undefined): string[] =>
  (line ?? '')
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

describe('renderTable', () => {
  const table = renderTable([
    judge({ row: 'get user', service: 2345.6, bare: 4000.2, p50: 6.789, p99: 20, figure: 0.586, note: 'a note' }),
    judge({ row: 'memory, idle', figure: 151.26 }),
    judge({ row: 'webhook deliveries', service: 2100, figure: 2100 }),
    judge({ row: 'growth of get user', figure: 1.31, p50: 2 }),
  ]);
  const lines = table.split('\n');

  it('shows a rate with its ratio, its goals and what came of them', () => {
    expect(cellsOf(lines[2])).toEqual([
      'get user',
      '2346',
      '4000',
      '0.59',
      '6.79',
      '20.00',
      '≥ 0.45',
      '≥ 0.65',
      'must',
    ]);
  });

  it('shows a size with its unit where others have a rate', () => {
    expect(cellsOf(lines[3])).toEqual([
      'memory, idle',
      '151.3 MiB',
      '',
      '',
      '',
      '',
      '≤ 150.0 MiB',
      '≤ 125.0 MiB',
      'MISSED',
    ]);
  });

  it('shows goals that are rates and goals that are multiples', () => {
    expect(cellsOf(lines[4])).toEqual(['webhook deliveries', '2100', '', '', '', '', '≥ 2000', '≥ 2000', 'aim']);
    expect(cellsOf(lines[5])).toEqual([
      'growth of get user',
      '1.31 ×',
      '',
      '',
      '2.00',
      '',
      '≤ 1.50 ×',
      '≤ 1.20 ×',
      'must',
    ]);
  });

  it('aligns its columns and ends with the notes', () => {
    expect(new Set(lines.slice(0, 6).map((line) => line.length)).size).toBe(1);
    expect(lines.at(-1)).toBe('- get user: a note');
  });
});

describe('judge', () => {
  it('refuses a row without a figure', () => {
    expect(() => judge({ row: 'health', figure: NaN })).toThrow(RangeError);
  });
});
