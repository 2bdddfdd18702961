import { describe, expect, it } from '@jest/globals';
import type { EnvironmentId } from '../../database/index.js';
import type { EnvironmentSettings, EnvironmentSettingsReader } from '../../environments/index.js';
import { Captcha } from './captcha.js';

const captchaWith = (captcha: EnvironmentSettings['security']['captcha']): Captcha => {
  const settings = { get: async () => ({ security: { captcha } }) } as object as EnvironmentSettingsReader;
  return new Captcha(settings);
};
const environment = 'e' as EnvironmentId;
const client = { ipAddress: '192.0.2.1', userAgent: null, origin: null };

describe('a captcha', () => {
  it.each([undefined, {}, { enabled: false }])('is not asked for by %p', async (captcha) => {
    await expect(captchaWith(captcha).assertPassed(environment, undefined, client)).resolves.toBeUndefined();
  });

  it('that cannot be checked stops what it protects', async () => {
    await expect(captchaWith({ enabled: true }).assertPassed(environment, undefined, client)).rejects.toMatchObject({
      status: 503,
      code: 'captcha_unavailable',
    });
  });
});
