import { describe, expect, it } from '@jest/globals';
import { median, pairedRatio, percentile } from './statistics.js';

describe('median', () => {
  it('is the middle value whatever the order', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([100, 9, 20])).toBe(20);
  });

  it('is the mean of the two in the middle of an even number', () => {
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  it('leaves its input as it was', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });

  it('has no answer without values', () => {
    expect(() => median([])).toThrow(RangeError);
  });
});

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

  it('is a value that was measured', () => {
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile(hundred, 1)).toBe(100);
  });

  it('of one value is that value', () => {
    expect(percentile(Float64Array.of(7), 0.01)).toBe(7);
  });

  it('refuses shares that are none, and nothing at all', () => {
    for (const share of [0, -1, 1.01, NaN]) expect(() => percentile(hundred, share)).toThrow(RangeError);
    expect(() => percentile([], 0.5)).toThrow(RangeError);
  });
});

describe('pairedRatio', () => {
  it('is the median of the ratios, not the ratio of the medians', () => {
    // The machine was three times slower in the second round, for both.
    expect(pairedRatio([600, 200, 500], [1000, 400, 1000])).toBe(0.5);
    expect(pairedRatio([80, 20, 80], [100, 40, 80])).toBe(0.8);
  });

  it('refuses values without a partner and divisors that are not above 0', () => {
    expect(() => pairedRatio([1, 2], [1])).toThrow(RangeError);
    expect(() => pairedRatio([1], [0])).toThrow(RangeError);
    expect(() => pairedRatio([], [])).toThrow(RangeError);
  });
});
