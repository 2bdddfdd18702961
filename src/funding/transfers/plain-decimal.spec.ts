import { describe, expect, it } from '@jest/globals';
import { plainDecimal } from './plain-decimal.js';

describe('an amount', () => {
  it.each([
    [1, '1'],
    [0.5, '0.5'],
    [1e-8, '0.00000001'],
    [1.25e-7, '0.000000125'],
    [1e21, '1000000000000000000000'],
    [1.5e22, '15000000000000000000000'],
    [123456.789, '123456.789'],
  ])('%s is written %s', (value, text) => {
    expect(plainDecimal(value)).toBe(text);
    expect(Number(plainDecimal(value))).toBe(value);
  });
});
