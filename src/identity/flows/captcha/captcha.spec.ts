import { describe, expect, it } from '@jest/globals';
import type { EnvironmentId } from '../../../database/index.js';
import type {
  EnvironmentSecrets,
  EnvironmentSettings,
  EnvironmentSettingsReader,
} from '../../../environments/index.js';
import type { CaptchaVendors, CaptchaVerdict } from '../../../providers/index.js';
import { Captcha } from './captcha.js';
import type { ProofOfWork } from './proof-of-work.js';

type Settings = EnvironmentSettings['security']['captcha'];
const SITE_KEY = '1x00000000000000000000AA';

function captchaWith(
  captcha: Settings,
  answers: { secret?: string | null; verdict?: CaptchaVerdict; done?: boolean } = {},
) {
  const asked: unknown[] = [];
  const { secret = 'shh', verdict = 'passed', done = false } = answers;
  const settings = {
    known: async () => ({ settings: { security: { captcha } }, version: 1 }),
    readOther: async () => null,
  } as object as EnvironmentSettingsReader;
  const secrets = { find: async () => secret } as object as EnvironmentSecrets;
  const vendors = {
    verdict: async (...given: unknown[]) => {
      asked.push(given);
      return verdict;
    },
  } as object as CaptchaVendors;
  const work = { isDone: async () => done } as object as ProofOfWork;
  return { captcha: new Captcha(settings, secrets, vendors, work), asked };
}
const environment = 'e' as EnvironmentId;
const client = { ipAddress: '192.0.2.1', userAgent: null, origin: null };

describe('a captcha', () => {
  it.each([undefined, {}, { enabled: false }, { enabled: false, siteKey: SITE_KEY }])(
    'is not asked for by %p',
    async (settings) => {
      const { captcha, asked } = captchaWith(settings);
      await expect(captcha.assertPassed(environment, 'token', client)).resolves.toBeUndefined();
      expect(asked).toEqual([]);
    },
  );

  it('is checked by the vendor of its site key, with the secret of the environment', async () => {
    const { captcha, asked } = captchaWith({ enabled: true, siteKey: SITE_KEY });
    await captcha.assertPassed(environment, 'token', client);
    const claim = { siteKey: SITE_KEY, secret: 'shh', token: 'token', ipAddress: '192.0.2.1' };
    expect(asked).toEqual([['turnstile', claim]]);
  });

  it.each<[string, Settings, Parameters<typeof captchaWith>[1], string | undefined, string]>([
    ['there is none', { enabled: true, siteKey: SITE_KEY }, {}, undefined, 'captcha_refused'],
    ['the vendor refuses it', { enabled: true, siteKey: SITE_KEY }, { verdict: 'refused' }, 't', 'captcha_refused'],
    [
      'the vendor is silent',
      { enabled: true, siteKey: SITE_KEY },
      { verdict: 'unavailable' },
      't',
      'captcha_unavailable',
    ],
    ['there is no secret', { enabled: true, siteKey: SITE_KEY }, { secret: null }, 't', 'captcha_unavailable'],
    ['its vendor is unknown', { enabled: true, siteKey: 'key' }, {}, 't', 'captcha_unavailable'],
    ['no work was done', { enabled: true }, { done: false }, 't', 'captcha_refused'],
  ])('stops what it protects when %s', async (_, settings, answers, token, code) => {
    const { captcha } = captchaWith(settings, answers);
    await expect(captcha.assertPassed(environment, token, client)).rejects.toMatchObject({ code });
  });

  it('without a site key is work that was done, and no vendor is asked', async () => {
    const { captcha, asked } = captchaWith({ enabled: true }, { done: true });
    await captcha.assertPassed(environment, 'token', client);
    expect(asked).toEqual([]);
  });
});
