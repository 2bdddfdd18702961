import { describe, expect, it } from '@jest/globals';
import { isTooLarge, MAX_DATA_BYTES, storedBytes } from './event-size.js';

describe('the size of an event', () => {
  it.each([
    [null, 'null'],
    [[], '[]'],
    [{}, '{}'],
    [[1, 2, 3], '[1, 2, 3]'],
    [{ a: 1, b: [true, false] }, '{"a": 1, "b": [true, false]}'],
    [{ é: 'ü\n"\u0001' }, '{"é": "ü\\n\\"\\u0001"}'],
    [-0.5, '-0.5'],
    [1e21, '1000000000000000000000'],
    [-1.5e-7, '-0.00000015'],
    [1.25e22, '12500000000000000000000'],
  ])('of %j is that of %s', (value, text) => {
    expect(storedBytes(value)).toBe(Buffer.byteLength(text));
  });

  it('is counted in the digits that are stored, not in those that were sent', () => {
    const json = JSON.stringify({ at: Array.from({ length: 1000 }, () => 5e-324) });
    expect(json.length).toBeLessThan(8000);
    expect(isTooLarge(json)).toBe(true);
    expect(isTooLarge(JSON.stringify({ at: Array.from({ length: 1000 }, () => 5) }))).toBe(false);
  });

  it('may just be the greatest', () => {
    const of = (bytes: number): string => JSON.stringify({ a: 'x'.repeat(bytes - '{"a": ""}'.length) });
    expect(isTooLarge(of(MAX_DATA_BYTES))).toBe(false);
    expect(isTooLarge(of(MAX_DATA_BYTES + 1))).toBe(true);
  });
});
