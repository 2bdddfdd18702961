import { describe, expect, it } from '@jest/globals';
import { SECOND_FACTORS } from '../vocabulary/factors.js';
import { hasSecondFactor, isAnother, raised } from './factors.js';

const OF_POSSESSION = [
  ['otp'],
  ['sms'],
  ['swk'],
  ['hwk'],
  ['pop'],
  ['totp'],
  ['otp', 'sms'],
  ['swk', 'hwk'],
  ['hwk', 'user'],
];
const OF_OTHERS = [['pwd'], ['pin'], ['kba'], ['fpt'], ['face']];
const OF_NONE = [[], ['user'], ['fed'], ['external'], ['recovery'], ['mfa'], ['unheard-of']];

describe('a second factor', () => {
  it.each([...OF_POSSESSION, ...OF_NONE])('of the class of the first, or of none, raises no level: %j', (...amr) => {
    for (const factor of SECOND_FACTORS) expect(raised(amr, factor)).not.toContain('mfa');
  });

  it.each(OF_OTHERS)('of another class makes it `mfa`: %s', (amr) => {
    expect(raised([amr], 'totp')).toEqual([amr, 'totp', 'mfa']);
  });

  it.each([...OF_POSSESSION, ...OF_OTHERS, ...OF_NONE])('that is a recovery code never does: %j', (...amr) => {
    const single = raised(amr, 'recovery');
    expect(single).toEqual([...amr.filter((method) => method !== 'mfa' && method !== 'recovery'), 'recovery']);
  });

  it('is written down once, and a level is never inherited', () => {
    expect(raised(['otp', 'totp'], 'totp')).toEqual(['otp', 'totp']);
    expect(raised(['otp', 'mfa'], 'totp')).toEqual(['otp', 'totp']);
  });

  it('is told from a first one', () => {
    expect(hasSecondFactor(['otp', 'sms', 'mfa'])).toBe(false);
    expect(hasSecondFactor(['otp', 'totp'])).toBe(true);
    expect(hasSecondFactor(['otp', 'recovery'])).toBe(true);
  });

  it.each([
    ['email', 'otp'],
    ['email', 'link'],
    ['passkey', 'swk'],
    ['passkey', 'hwk'],
  ] as const)('is none where the first is the same thing: %s after %s', (factor, first) => {
    for (const each of SECOND_FACTORS) expect([each, isAnother([first], each)]).toEqual([each, each !== factor]);
  });
});
