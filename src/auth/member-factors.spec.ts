import { describe, expect, it } from '@jest/globals';
import { assertMemberFactor } from './member-factors.js';

const isAdmitted = (amr: string[] | undefined, admitted: string[], sessionId: string | undefined = 'session') => {
  try {
    assertMemberFactor({ ...(sessionId && { sessionId }), ...(amr && { amr }) }, admitted);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'member_factor_required' });
    return false;
  }
};

describe('a member of an organization', () => {
  it.each<[string[] | undefined, string[], boolean]>([
    [['otp'], [], true],
    [['otp'], ['email'], true],
    [['otp'], ['totp'], false],
    [undefined, ['totp'], false],
    [['otp', 'totp'], ['totp'], true],
    [['otp', 'passkey'], ['totp'], false],
    [['otp', 'passkey'], ['totp', 'passkey'], true],
    [['swk', 'user'], ['passkey'], false],
    [['fed', 'email'], ['totp'], false],
    [['fed', 'email'], ['totp', 'email'], true],
    [['otp', 'recovery'], ['passkey'], true],
  ])('with %j where %j is admitted: %s', (amr, admitted, expected) => {
    expect(isAdmitted(amr, admitted)).toBe(expected);
  });

  it('by a personal token is asked for none', () => expect(isAdmitted(undefined, ['totp'], '')).toBe(true));
});
