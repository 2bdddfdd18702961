import { describe, expect, it } from '@jest/globals';
import { nextState } from './hostname-state.js';

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
const refuted = { verdict: 'refuted', reason: 'no record' } as const;
const unknown = { verdict: 'unknown', reason: 'no answer' } as const;

describe('a host name', () => {
  it.each(['pending', 'error', 'active'] as const)(
    'that was %s is active once proven, and looked at weekly',
    (status) => {
      const expected = { status: 'active', errors: null, nextCheckSeconds: 7 * DAY };
      expect(nextState(status, 99 * DAY, { verdict: 'proven' })).toEqual(expected);
    },
  );

  it('that is active ends when its records are gone, not when the DNS is silent', () => {
    expect(nextState('active', DAY, refuted)).toEqual({
      status: 'error',
      errors: 'no record',
      nextCheckSeconds: MINUTE,
    });
    expect(nextState('active', DAY, unknown)).toEqual({ status: 'active', errors: null, nextCheckSeconds: HOUR });
  });

  it.each([
    [0, MINUTE],
    [HOUR - 1, MINUTE],
    [HOUR, 10 * MINUTE],
    [DAY - 1, 10 * MINUTE],
    [DAY, HOUR],
    [7 * DAY - 1, HOUR],
  ])('that has been pending for %d seconds is looked at again after %d', (age, nextCheckSeconds) => {
    expect(nextState('pending', age, refuted)).toEqual({ status: 'pending', errors: 'no record', nextCheckSeconds });
    expect(nextState('error', age, unknown)).toEqual({ status: 'error', errors: 'no answer', nextCheckSeconds });
  });

  it('that was not proven within a week is in error, and looked at daily a week later', () => {
    expect(nextState('pending', 7 * DAY, refuted)).toMatchObject({ status: 'error', errors: 'no record' });
    expect(nextState('error', 7 * DAY, refuted)).toMatchObject({ status: 'error', nextCheckSeconds: DAY });
  });
});
