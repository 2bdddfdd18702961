import { describe, expect, it } from '@jest/globals';
import { mannWhitney } from './support/mann-whitney.js';

/** The same numbers in every run: a linear congruential generator (Numerical Recipes). */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}
const sample = (seed: number, size: number, of: (x: number) => number): number[] => {
  const source = numbers(seed);
  return Array.from({ length: size }, () => of(source.next().value as number));
};
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, n) => from + n);

describe('the Mann-Whitney test', () => {
  it('gives the values of the normal approximation', () => {
    // Twenty values below twenty others: U = 0, z = (200 - 0.5) / sqrt(20 * 20 * 41 / 12) = 5.396.
    expect(mannWhitney(range(0, 20), range(20, 40))).toBeCloseTo(6.8e-8, 9);
    // Shifted by ten: U = 50, z = (150 - 0.5) / sqrt((400 / 12) * (41 - 60 / 1560)) = 4.046.
    expect(mannWhitney(range(0, 20), range(10, 30))).toBeCloseTo(5.2e-5, 6);
  });

  it('finds samples alike that are alike, and equal values certain', () => {
    expect(mannWhitney(range(0, 30), range(0, 30))).toBeGreaterThan(0.99);
    expect(mannWhitney(Array<number>(20).fill(1), Array<number>(20).fill(1))).toBe(1);
  });

  it('is below one in a hundred about once in a hundred, for samples of one distribution', () => {
    const values = Array.from({ length: 400 }, (_, n) =>
      mannWhitney(
        sample(2 * n + 1, 50, (x) => x),
        sample(2 * n + 2, 50, (x) => x),
      ),
    );
    expect(values.filter((p) => p < 0.01).length).toBeLessThan(16);
    expect(values.filter((p) => p < 0.5).length).toBeGreaterThan(120);
  });

  it('sees a tenth of the spread between five hundred and five hundred', () => {
    const slow = sample(7, 500, (x) => x + 0.1);
    expect(
      mannWhitney(
        sample(9, 500, (x) => x),
        slow,
      ),
    ).toBeLessThan(0.001);
  });
});
