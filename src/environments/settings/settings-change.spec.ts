import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../../common/errors/index.js';
import type { EgressPolicy } from '../../outbound/index.js';
import { defaultSettings } from './default-settings.js';
import { settingsWith } from './settings-change.js';
import { withField } from './settings-fields.js';
import type { ProjectSettings } from './settings.types.js';

const policy = { checkUrl: () => ({ allowed: true }) } as unknown as EgressPolicy;
const terms = { policy, problemsIn: () => [] };
const SWITCH = 'sdk.blockEmailSubaddresses';

function refusalOf(change: () => unknown): ApiError {
  try {
    change();
  } catch (error) {
    if (error instanceof ApiError) return error;
  }
  throw new Error('It was not refused.');
}

describe('a change of settings', () => {
  const renamed = { general: { displayName: 'Looms' } };

  it('cannot turn on what nothing enforces', () => {
    expect(() => settingsWith(defaultSettings('sandbox'), { sdk: { blockEmailSubaddresses: true } }, terms)).toThrow(
      expect.objectContaining({ status: 422, code: 'setting_not_available' }),
    );
  });

  it('is not held up by what an older version has stored, which stays as it is or goes off', () => {
    const stored = withField(defaultSettings('sandbox'), SWITCH, true);
    expect(settingsWith(stored, renamed, terms)).toMatchObject({ ...renamed, sdk: { blockEmailSubaddresses: true } });
    const off = settingsWith(stored, { sdk: { blockEmailSubaddresses: false } }, terms);
    expect(off.sdk).toMatchObject({ blockEmailSubaddresses: false });
  });

  it('is held up by what another context finds in it, and not by what was found before', () => {
    const known = { path: 'general', message: 'nobody is called so' };
    const named = {
      policy,
      problemsIn: ({ general }: ProjectSettings) => (general.displayName === 'Looms' ? [known] : []),
    };
    expect(() => settingsWith(defaultSettings('sandbox'), renamed, named)).toThrow(
      expect.objectContaining({ status: 422, code: 'setting_not_available' }),
    );
    const stored = withField(defaultSettings('sandbox'), 'general.displayName', 'Looms');
    expect(settingsWith(stored, { privacy: { collectIp: true } }, named)).toMatchObject(renamed);
  });

  it('is answered with its first faults where there are very many', () => {
    const found = Array.from({ length: 1_000 }, (_, at) => ({ path: 'chains', message: `no network ${at}` }));
    const isRenamed = ({ general }: ProjectSettings): boolean => general.displayName === 'Looms';
    const full = { policy, problemsIn: (settings: ProjectSettings) => (isRenamed(settings) ? found : []) };
    const { payload } = refusalOf(() => settingsWith(defaultSettings('sandbox'), renamed, full)).details;
    expect((payload as { fields: object[] }).fields).toHaveLength(50);
  });

  it('is held up by another one that it brings', () => {
    const stored = withField(defaultSettings('sandbox'), SWITCH, true);
    expect(() => settingsWith(stored, { sdk: { multiWalletUnlinkDisabled: true } }, terms)).toThrow(
      expect.objectContaining({ code: 'setting_not_available' }),
    );
  });
});
