import { describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { csvLine } from './csv.js';

describe('a line of a file', () => {
  it.each([
    '=1+1',
    '=HYPERLINK("http://evil.example","click")',
    "=cmd|' /C calc'!A0",
    '+1+1',
    '-1+1',
    '-2+3+cmd|" /C calc"!A0',
    '@SUM(1+1)',
    '\t=1+1',
    '\r=1+1',
    '\n=1+1',
    '＝1+1',
    '＠SUM(1)',
  ])('makes %j text for every spreadsheet', (payload) => {
    const rows: string[][] = parse(csvLine([payload]));
    expect(rows).toEqual([[`'${payload}`]]);
  });

  it('keeps everything else as it is, whatever separators it has', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (values) => {
        const [shown]: string[][] = parse(csvLine(values));
        expect(shown!.map((text, at) => (text === `'${values[at]!}` ? values[at] : text))).toEqual(values);
      }),
    );
    expect(csvLine(['a"b', null, 1, true, new Date(0), { a: 1 }])).toBe(
      '"a""b","","1","true","1970-01-01T00:00:00.000Z","{""a"":1}"\r\n',
    );
  });
});
