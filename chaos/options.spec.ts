import { describe, expect, it } from '@jest/globals';
import { parseOptions } from './options.js';

describe('the options of the fault injection', () => {
  it('take everything with a seed of chance when none is given', () => {
    const { size, only, seed, mutation } = parseOptions([]);
    expect({ size, only: [...only], mutation }).toEqual({ size: 'full', only: [], mutation: null });
    expect(Number.isInteger(seed)).toBe(true);
  });

  it('name faults, a seed and a planted mistake in either case', () => {
    const { size, only, seed, mutation } = parseOptions(['--smoke', '--only', 'f1, F5', '--seed', '7', '--mutation=A']);
    expect({ size, only: [...only], seed, mutation }).toEqual({
      ...{ size: 'smoke', only: ['F1', 'F5'], seed: 7, mutation: 'a' },
    });
  });

  it('bound the time when they are asked to', () => {
    expect(parseOptions(['--smoke', '--minutes', '2.5']).minutes).toBe(2.5);
    expect(parseOptions(['--smoke']).minutes).toBe(Infinity);
  });

  it('refuse what they cannot use', () => {
    for (const minutes of ['x', '0', '-1']) {
      expect(() => parseOptions([`--minutes=${minutes}`])).toThrow(`--minutes is a number above 0 (seen: ${minutes})`);
    }
    expect(() => parseOptions(['--seed', 'x'])).toThrow('--seed is a whole number from 0 (seen: x)');
    expect(() => parseOptions(['--fast'])).toThrow('--fast');
  });
});
