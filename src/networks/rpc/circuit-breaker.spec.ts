import { describe, expect, it } from '@jest/globals';
import { CircuitBreaker } from './circuit-breaker.js';

const KEY = 'a node';
const broken = (): CircuitBreaker => {
  const breaker = new CircuitBreaker();
  for (let time = 0; time < 5; time += 1) breaker.failed(KEY, 0);
  return breaker;
};

describe('a breaker', () => {
  it('opens after five failures in a row, and lets one caller try in ten seconds', () => {
    const breaker = broken();
    expect([breaker.admits(KEY, 9_999), breaker.admits('another', 0)]).toEqual([false, true]);
    expect([breaker.admits(KEY, 10_000), breaker.admits(KEY, 10_001)]).toEqual([true, false]);
    expect(breaker.admits(KEY, 20_000)).toBe(true);
  });

  it('closes for all with the first answer', () => {
    const breaker = broken();
    breaker.admits(KEY, 10_000);
    breaker.succeeded(KEY);
    expect([breaker.admits(KEY, 10_001), breaker.admits(KEY, 10_001)]).toEqual([true, true]);
  });

  it('closes with a refusal as well, which does not hide failures before that', () => {
    const breaker = broken();
    breaker.admits(KEY, 10_000);
    breaker.refused(KEY);
    expect(breaker.admits(KEY, 10_001)).toBe(true);
    const failing = new CircuitBreaker();
    for (let time = 0; time < 5; time += 1) {
      failing.failed(KEY, 0);
      if (time < 4) failing.refused(KEY);
    }
    expect(failing.admits(KEY, 1)).toBe(false);
  });

  it('forgets addresses beyond ten thousand', () => {
    const breaker = broken();
    for (let other = 0; other < 10_000; other += 1) breaker.failed(`node ${other}`, 0);
    expect(breaker.admits(KEY, 1)).toBe(true);
  });
});
