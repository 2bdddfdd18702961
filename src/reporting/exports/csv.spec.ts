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
    '\t1+1',
    '\r1+1',
    '\n1+1',
    '＝1+1',
    '＠SUM(1)',
  ])('makes %j text for every spreadsheet', (payload) => {
    const rows: string[][] = parse(csvLine([payload]));
    expect(rows).toEqual([[`'${payload}`]]);
  });

  /** The cells of a program that knows one separator and is as lenient as spreadsheets are: quotes count at the beginning of a cell. */
  function cellsOf(text: string, separator: string): string[] {
    const cells: string[] = [];
    let [cell, isQuoted, isAtStart] = ['', false, true];
    for (let at = 0; at < text.length; at++) {
      const character = text[at]!;
      if (isQuoted && character === '"' && text[at + 1] === '"') cell += text[++at]!;
      else if (isQuoted && character === '"') isQuoted = false;
      else if (isAtStart && character === '"') isQuoted = true;
      else if (!isQuoted && [separator, '\r', '\n'].includes(character)) {
        cells.push(cell);
        cell = '';
        isAtStart = true;
        continue;
      } else cell += character;
      isAtStart = false;
    }
    return [...cells, cell];
  }

  it.each([
    "x;=cmd|' /C calc'!A0;",
    'x;"=1+1',
    'x; "" -1+1',
    'x\t=1+1\t',
    'x\n=1+1',
    'x\r\n@SUM(1)',
    'x;＝1+1',
    ';+1',
    '\t=1+1',
    '\r=1+1',
    '\n=1+1',
  ])('keeps what is behind a separator of other programs in %j from being calculated', (payload) => {
    for (const separator of [',', ';', '\t']) {
      const cells = cellsOf(csvLine(['id', 'Ada', payload, { text: payload }, 'end']), separator);
      expect(cells.filter((cell) => /^\s*[=+\-@＝]/.test(cell))).toEqual([]);
    }
  });

  it('keeps everything else as it is, whatever separators it has', () => {
    const withoutApostrophes = (texts: readonly string[]) => texts.map((text) => text.replaceAll("'", ''));
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }), (values) => {
        const [shown]: string[][] = parse(csvLine(values));
        expect(withoutApostrophes(shown!)).toEqual(withoutApostrophes(values));
      }),
    );
    expect(parse(csvLine(['a, b; c\td\ne', '{"a":[-1,-2]}']))).toEqual([['a, b; c\td\ne', '{"a":[-1,-2]}']]);
    expect(csvLine(['a"b', null, 1, true, new Date(0), { a: 1 }])).toBe(
      '"a""b","","1","true","1970-01-01T00:00:00.000Z","{""a"":1}"\r\n',
    );
  });
});
