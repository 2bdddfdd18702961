import { describe, expect, it } from '@jest/globals';
import { defaultSettings } from './default-settings.js';
import type { MfaSettings } from './settings.types.js';
import { withSwitchedOn } from './switched-on.js';

const METHODS: MfaSettings['methods'] = [
  { type: 'totp', enabled: true },
  { type: 'passkey', enabled: true },
  { type: 'email', enabled: false },
];

/** What clients read of these settings. */
function shown(mfa: MfaSettings): MfaSettings | undefined {
  const settings = defaultSettings('sandbox');
  return withSwitchedOn({ ...settings, security: { ...settings.security, mfa } }).security.mfa;
}

describe('the second factors that clients are told of', () => {
  it('are all that are enabled where the settings choose none of them', () => {
    const told = shown({ enabled: true, methods: METHODS, availableMethods: [] });
    expect(told).toEqual({ enabled: true, methods: METHODS, availableMethods: ['totp', 'passkey'] });
    expect(shown({ enabled: true, methods: METHODS })?.availableMethods).toEqual(['totp', 'passkey']);
  });

  it('are those that the settings choose', () => {
    const told = shown({ enabled: true, methods: METHODS, availableMethods: ['passkey'] });
    expect(told?.availableMethods).toEqual(['passkey']);
  });

  it('are as stored while they are disabled', () => {
    const off = { enabled: false, methods: METHODS, availableMethods: [] };
    expect(shown(off)).toEqual(off);
  });
});
