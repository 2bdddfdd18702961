import { describe, expect, it } from '@jest/globals';
import { defaultSettings } from './default-settings.js';
import { repeatedKeyProblems } from './repeated-keys.js';
import type { ProjectSettings } from './settings.types.js';

const settings = (change: (fresh: ProjectSettings) => void): ProjectSettings => {
  const fresh = defaultSettings('sandbox');
  change(fresh);
  return fresh;
};

describe('a list of settings', () => {
  it('has each key once in a new environment', () => {
    expect(repeatedKeyProblems(defaultSettings('sandbox'))).toEqual([]);
    expect(repeatedKeyProblems(defaultSettings('live'))).toEqual([]);
    expect(repeatedKeyProblems(defaultSettings('console'))).toEqual([]);
  });

  it.each<[string, string, string, (fresh: ProjectSettings) => void]>([
    ['a chain', 'chains.1.name', 'EVM', ({ chains }) => (chains[1] = { ...chains[0]!, enabled: false })],
    [
      'a network of a chain',
      'chains.0.networks.2.networkId',
      '1',
      ({ chains }) => (chains[0]!.networks![2] = { networkId: 1, chainName: 'Mine', enabled: true, type: 'custom' }),
    ],
    ['a field', 'kyc.1.name', 'email', ({ kyc }) => (kyc[1] = { ...kyc[0]!, required: true })],
    [
      'a kind of second factor',
      'security.mfa.methods.3.type',
      'totp',
      ({ security }) => (security.mfa!.methods![3] = { type: 'totp', enabled: true }),
    ],
    [
      'an action that needs a second factor',
      'security.mfa.actions.5.action',
      'user.update',
      ({ security }) => (security.mfa!.actions![5] = { action: 'user.update', required: true }),
    ],
    [
      'a chain of embedded wallets',
      'sdk.embeddedWallets.chainConfigurations.2.name',
      'SOL',
      ({ sdk }) => (sdk.embeddedWallets!.chainConfigurations![2] = { name: 'SOL', enabled: false, primary: true }),
    ],
    [
      'a view',
      'sdk.views.1.type',
      'login',
      ({ sdk }) => ((sdk['views'] as object[])[1] = { type: 'login', sections: [] }),
    ],
  ])('that has %s twice is told which one', (_, path, key, change) => {
    expect(repeatedKeyProblems(settings(change))).toEqual([{ path, message: `${key} is in the list already` }]);
  });

  it('of plain values may repeat them, and lists that are not there are none', () => {
    const change = ({ security, sdk, chains }: ProjectSettings) => {
      security.auth = { storage: ['cookie', 'cookie'] };
      delete security.mfa;
      delete sdk.embeddedWallets;
      delete sdk['views'];
      delete chains[0]!.networks;
    };
    expect(repeatedKeyProblems(settings(change))).toEqual([]);
  });
});
