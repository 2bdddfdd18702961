import { describe, expect, it } from '@jest/globals';
import { ownSections, toClientSettings } from './client-settings.js';
import { defaultSettings } from './default-settings.js';
import { validateSettings } from './settings-validation.js';

const provider = {
  id: '0197c0de-0000-7000-8000-000000000001',
  environmentId: '0197c0de-0000-7000-8000-000000000002',
  provider: 'google',
  enabledAt: new Date('2026-01-01T00:00:00Z'),
  clientId: 'client',
  clientSecret: 'hush-provider',
};

describe('settings for clients', () => {
  it('tell the environment, enabled providers and the sections other records hold', () => {
    const told = toClientSettings(defaultSettings('sandbox'), {
      environmentName: 'sandbox',
      providers: [provider],
      customFields: [{ name: 'size', required: false, enabled: true, unique: false, verify: false, type: 'custom' }],
      exchanges: [{ exchange: 'kraken', apiSecret: 'hush' }],
      networks: [{ chainName: 'evm', networks: [] }],
      views: [{ type: 'login', sections: [{ type: 'email' }] }],
    });
    expect(told).toMatchObject({
      environmentName: 'sandbox',
      providers: [{ id: provider.id, provider: 'google', enabledAt: '2026-01-01T00:00:00.000Z', clientId: 'client' }],
      customFields: [{ name: 'size' }],
      exchanges: [{ exchange: 'kraken' }],
      networks: [{ chainName: 'evm', networks: [] }],
      sdk: { views: [{ type: 'login', sections: [{ type: 'email' }] }] },
    });
    expect(validateSettings(told)).toEqual([]);
  });

  it('never tell a secret', () => {
    const settings = defaultSettings('live');
    settings.security.captcha = { enabled: true, siteKey: 'site', secretKey: 'hush-captcha' };
    settings.providers = [{ ...provider, clientSecret: 'hush-stored' }];
    const told = toClientSettings({ ...settings, ...{ sealedKeys: 'hush-sealed' } }, { providers: [provider] });
    expect(JSON.stringify(told)).not.toContain('hush');
    expect(told.security.captcha).toEqual({ enabled: true, siteKey: 'site' });
  });

  it('leave out of a save what other records hold', () => {
    const read = toClientSettings(defaultSettings('live'), { environmentName: 'live', providers: [provider] });
    expect(ownSections(read)).toEqual(defaultSettings('live'));
  });
});
