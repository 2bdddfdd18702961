import { describe, expect, it } from '@jest/globals';
import { defaultSettings, type EnvironmentKind } from './default-settings.js';
import { jwtTtlSeconds } from './jwt-duration.js';
import { validateSettings } from './settings-validation.js';

const kinds: EnvironmentKind[] = ['sandbox', 'live', 'console'];

describe.each(kinds)('default settings of a %s environment', (kind) => {
  it('are valid', () => {
    expect(validateSettings(defaultSettings(kind))).toEqual([]);
  });

  it('let people sign in by email, without second factor or captcha, for 15 minutes at a time', () => {
    const { sdk, security } = defaultSettings(kind);
    expect(sdk.emailSignIn).toEqual({ signInProvider: 'dynamic' });
    expect(security.mfa).toMatchObject({ enabled: false, required: false });
    expect(security.captcha).toEqual({ enabled: false });
    expect(security.auth).toEqual({ storage: ['localstorage'] });
    expect(jwtTtlSeconds({ security })).toBe(900);
  });

  it('are a fresh object each time', () => {
    const changed = defaultSettings(kind);
    changed.security.auth?.storage.push('cookie');
    if (changed.security.jwtDuration) changed.security.jwtDuration.amount = 1;
    changed.kyc.pop();
    expect(defaultSettings(kind)).not.toEqual(changed);
    expect(jwtTtlSeconds(defaultSettings(kind))).toBe(900);
  });
});

describe('default settings', () => {
  it('give wallets on EVM and Solana to users of projects, and none to users of the console', () => {
    const enabled = (kind: EnvironmentKind): unknown => {
      const wallets = defaultSettings(kind).sdk.embeddedWallets;
      const chains = wallets?.chainConfigurations?.filter((chain) => chain.enabled).map(({ name }) => name);
      return [wallets?.automaticEmbeddedWalletCreation, chains];
    };
    expect(kinds.map(enabled)).toEqual([
      [true, ['EVM', 'SOL']],
      [true, ['EVM', 'SOL']],
      [false, []],
    ]);
  });

  it('offer test networks in a sandbox only', () => {
    const networks = (kind: EnvironmentKind): unknown =>
      defaultSettings(kind).chains.flatMap((chain) => chain.networks?.map(({ networkId }) => networkId));
    expect(networks('sandbox')).toEqual([11_155_111, 1, 103, 101]);
    expect(networks('live')).toEqual([1, 101]);
  });

  it('are found invalid when one of them is wrong', () => {
    const settings = defaultSettings('live');
    settings.sdk.waas = { passcodeRequired: 'no', backupOptions: [] };
    expect(validateSettings(settings)).toEqual(
      expect.arrayContaining([
        { path: 'sdk.waas.onSignUp', message: 'is required' },
        { path: 'sdk.waas.passcodeRequired', message: 'must be boolean' },
      ]),
    );
  });
});
