import { describe, expect, it } from '@jest/globals';
import { GOALS, verdict, type Goal } from './goals.js';

const share: Goal = { unit: 'ratio', better: 'higher', must: 0.4, aim: 0.6 };
const time: Goal = { unit: 'ms', better: 'lower', must: 50, aim: 25 };

describe('verdict', () => {
  it('of a figure that should be high', () => {
    expect(verdict(share, 0.6)).toBe('aim');
    expect(verdict(share, 0.59)).toBe('must');
    expect(verdict(share, 0.4)).toBe('must');
    expect(verdict(share, 0.399)).toBe('MISSED');
  });

  it('of a figure that should be low', () => {
    expect(verdict(time, 25)).toBe('aim');
    expect(verdict(time, 26)).toBe('must');
    expect(verdict(time, 50)).toBe('must');
    expect(verdict(time, 50.1)).toBe('MISSED');
  });

  it('is never passed by a row that measured nothing', () => {
    expect(() => verdict(time, NaN)).toThrow(RangeError);
    expect(() => verdict(share, Infinity)).toThrow(RangeError);
  });
});

describe('the goals', () => {
  it.each(Object.entries(GOALS))('%s aims at least as far as it must', (_name, goal: Goal) => {
    expect(goal.better === 'higher' ? goal.aim >= goal.must : goal.aim <= goal.must).toBe(true);
  });
});
