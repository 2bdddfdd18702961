import { describe, expect, it } from '@jest/globals';
import { defaultSettings } from './default-settings.js';
import { validateSettings } from './settings-validation.js';

describe('validating settings', () => {
  const settings = defaultSettings('live');

  it.each<[string, unknown, string, string]>([
    ['another kind of value', 'settings', '', 'must be object'],
    ['a missing section', { ...settings, privacy: undefined }, 'privacy', 'is required'],
    ['an unknown section', { ...settings, theme: {} }, 'theme', 'is not a known setting'],
    [
      'an unknown field',
      { ...settings, privacy: { collectDna: true } },
      'privacy.collectDna',
      'is not a known setting',
    ],
    ['a wrong type', { ...settings, privacy: { collectIp: 'yes' } }, 'privacy.collectIp', 'must be boolean'],
    [
      'a value outside its enum',
      { ...settings, security: { auth: { storage: ['localstorage', 'url'] } } },
      'security.auth.storage.1',
      'must be one of localstorage, cookie',
    ],
    [
      'a missing field deep inside',
      { ...settings, sdk: { views: [{ sections: [] }] } },
      'sdk.views.0.type',
      'is required',
    ],
    [
      'a text that is too long',
      { ...settings, general: { supportText: 'x'.repeat(256) } },
      'general.supportText',
      'must NOT have more than 255 characters',
    ],
    [
      'a text that is no address',
      { ...settings, general: { supportEmail: 'nobody' } },
      'general.supportEmail',
      'must match format "email"',
    ],
  ])('refuses %s', (_mistake, value, path, message) => {
    expect(validateSettings(value)).toContainEqual({ path, message });
  });

  it.each([
    [{ amount: 5, unit: 'minutes' }, true],
    [{ amount: 30, unit: 'days' }, true],
    [{ amount: 4, unit: 'minutes' }, false],
    [{ amount: 31, unit: 'days' }, false],
    [{ amount: 0, unit: 'hours' }, false],
    [{ amount: -15, unit: 'minutes' }, false],
  ])('takes a token lifetime of %j: %s', (jwtDuration, accepted) => {
    const problems = validateSettings({ ...settings, security: { ...settings.security, jwtDuration } });
    const expected = [{ path: 'security.jwtDuration', message: 'must be between 5 minutes and 30 days' }];
    expect(problems).toEqual(accepted ? [] : expected);
  });

  it('accepts the sections that other records hold, as a client reads them', () => {
    const read = { ...settings, environmentName: 'live', providers: [{ provider: 'google' }], customFields: [] };
    expect(validateSettings(read)).toEqual([]);
  });

  it('answers with 50 problems at most', () => {
    expect(validateSettings({ ...settings, chains: Array.from({ length: 200 }, () => 1) })).toHaveLength(50);
  });
});
