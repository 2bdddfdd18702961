import { describe, expect, it } from '@jest/globals';
import { durationSeconds, jwtTtlSeconds } from './jwt-duration.js';
import type { Duration } from './settings.types.js';

describe('the lifetime of session tokens', () => {
  it.each<[Duration, number]>([
    [{ amount: 15, unit: 'minutes' }, 900],
    [{ amount: 2, unit: 'hours' }, 7_200],
    [{ amount: 30, unit: 'days' }, 2_592_000],
  ])('is %j in seconds', (jwtDuration, seconds) => {
    expect(durationSeconds(jwtDuration)).toBe(seconds);
    expect(jwtTtlSeconds({ security: { jwtDuration } })).toBe(seconds);
  });

  it('is 15 minutes when nothing is set', () => {
    expect(jwtTtlSeconds({ security: {} })).toBe(900);
  });

  it.each<[Duration, number]>([
    [{ amount: 1, unit: 'minutes' }, 300],
    [{ amount: -3, unit: 'days' }, 300],
    [{ amount: 90, unit: 'days' }, 2_592_000],
    [{ amount: Number.NaN, unit: 'days' }, 900],
  ])('stays within 5 minutes and 30 days for %j', (jwtDuration, seconds) => {
    expect(jwtTtlSeconds({ security: { jwtDuration } })).toBe(seconds);
  });
});
