import { describe, expect, it } from '@jest/globals';
import { differenceOf, plainDecimal, sumOf } from './plain-decimal.js';

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

describe('a sum of decimals', () => {
  it.each([
    [['0.72485000', '0.00015000'], '0.725'],
    [['0.1', '0.2'], '0.3'],
    [['0.5'], '0.5'],
    [['0.50000000'], '0.5'],
    [['007'], '7'],
    [['1', '2'], '3'],
    [['0.9', '0.10'], '1'],
    [['9007199254740993', '0.000000000000000001'], '9007199254740993.000000000000000001'],
    [['0', '0.0'], '0'],
  ])('of %j is %s', (terms, sum) => expect(sumOf(terms)).toBe(sum));

  it.each([[['1e-7']], [['-1', '2']], [['']], [['.5']], [['1', 'much']]])('is none of %j', (terms) => {
    expect(sumOf(terms)).toBeNull();
  });
});

describe('a difference', () => {
  it.each([
    [1.1, 0.2, 0.9],
    [0.3, 0.1, 0.2],
    [3, 0, 3],
    [0.5, 0.5, 0],
    [-0.5, 0.25, -0.75],
    [1e-7, 2.5e-8, 7.5e-8],
    [-1e-7, 0, -1e-7],
  ])('of %s and %s is %s', (total, part, left) => expect(differenceOf(total, part)).toBe(left));
});
