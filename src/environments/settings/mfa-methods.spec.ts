import { describe, expect, it } from '@jest/globals';
import { mfaProblems, usableMfaMethods } from './mfa-methods.js';
import type { MfaSettings } from './settings.types.js';

const totp = { type: 'totp', enabled: true } as const;
const passkey = { type: 'passkey', enabled: true } as const;
const email = { type: 'email', enabled: true } as const;
const fields = (mfa: MfaSettings) => mfaProblems(mfa).map(({ path }) => path.replace('security.mfa.', ''));

describe('settings of second factors', () => {
  it.each<[string, MfaSettings, string[]]>([
    ['nothing', {}, []],
    ['a kind that is checked', { enabled: true, required: true, methods: [totp] }, []],
    ['every kind', { enabled: true, methods: [totp, passkey, email] }, []],
    ['passkeys alone', { enabled: true, required: true, methods: [passkey] }, []],
    ['codes by mail alone, which ask nobody', { enabled: true, methods: [email] }, ['enabled']],
    ['an offer of what is off', { methods: [totp], availableMethods: ['totp', 'email'] }, ['availableMethods.1']],
    ['on without a kind', { enabled: true }, ['enabled']],
    ['required while off', { required: true, methods: [totp] }, ['required']],
    [
      'an action that asks',
      { enabled: true, methods: [totp], actions: [{ action: 'wallet.waas.reshare', required: true }] },
      [],
    ],
    [
      'an action while second factors are off',
      { actions: [{ action: 'user.update', required: true }] },
      ['actions.0.required'],
    ],
    ['an action that is off', { actions: [{ action: 'user.update', required: false }] }, []],
  ])('that say %s', (_, mfa, expected) => expect(fields(mfa)).toEqual(expected));

  it('let users have what is on and offered', () => {
    expect(usableMfaMethods({ enabled: true, methods: [totp] })).toEqual(['totp']);
    expect(usableMfaMethods({ enabled: true, methods: [totp], availableMethods: ['totp'] })).toEqual(['totp']);
    expect(usableMfaMethods({ enabled: true, methods: [totp], availableMethods: ['email'] })).toEqual([]);
    expect(usableMfaMethods({ enabled: false, methods: [totp] })).toEqual([]);
    expect(usableMfaMethods(undefined)).toEqual([]);
  });
});
