import { describe, expect, it } from '@jest/globals';
import type { EgressPolicy } from '../../outbound/index.js';
import { defaultSettings } from './default-settings.js';
import { settingsWith } from './settings-change.js';
import { withField } from './settings-fields.js';

const policy = { checkUrl: () => ({ allowed: true }) } as unknown as EgressPolicy;
const SWITCH = 'sdk.blockEmailSubaddresses';

describe('a change of settings', () => {
  const renamed = { general: { displayName: 'Looms' } };

  it('cannot turn on what nothing enforces', () => {
    expect(() => settingsWith(defaultSettings('sandbox'), { sdk: { blockEmailSubaddresses: true } }, policy)).toThrow(
      expect.objectContaining({ status: 422, code: 'setting_not_available' }),
    );
  });

  it('is not held up by what an older version has stored, which stays as it is or goes off', () => {
    const stored = withField(defaultSettings('sandbox'), SWITCH, true);
    expect(settingsWith(stored, renamed, policy)).toMatchObject({ ...renamed, sdk: { blockEmailSubaddresses: true } });
    const off = settingsWith(stored, { sdk: { blockEmailSubaddresses: false } }, policy);
    expect(off.sdk).toMatchObject({ blockEmailSubaddresses: false });
  });

  it('is held up by another one that it brings', () => {
    const stored = withField(defaultSettings('sandbox'), SWITCH, true);
    expect(() => settingsWith(stored, { sdk: { multiWalletUnlinkDisabled: true } }, policy)).toThrow(
      expect.objectContaining({ code: 'setting_not_available' }),
    );
  });
});
