import type { CaptchaSettings } from './settings.types.js';

export type CaptchaVendor = 'hcaptcha' | 'turnstile' | 'recaptcha';

/** Site key formats, which identify the vendor. */
const SITE_KEYS: readonly (readonly [CaptchaVendor, RegExp])[] = [
  // https://docs.hcaptcha.com: a UUID.
  ['hcaptcha', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  // https://developers.cloudflare.com/turnstile: 0x4…, and 1x0… to 3x0… for tests.
  ['turnstile', /^[0-3]x[\w-]{20,64}$/],
  // https://developers.google.com/recaptcha: 6L…
  ['recaptcha', /^6L[\w-]{38}$/],
];

/** The vendor that verifies responses for this site key; null for an unknown format. */
export const captchaVendorOf = (siteKey: string): CaptchaVendor | null =>
  SITE_KEYS.find(([, form]) => form.test(siteKey))?.[0] ?? null;

/** Whether a vendor verifies captcha responses, which requires the secret. */
export const asksVendor = ({ enabled, siteKey }: CaptchaSettings = {}): boolean => Boolean(enabled && siteKey);

/** One secret of an account serves all of its site keys; the other vendors issue each key with a secret of its own. */
const SECRETS_OF_ACCOUNTS: readonly CaptchaVendor[] = ['hcaptcha'];

/**
 * Whether the stored secret is not the one of the new site key, and must be entered again. It goes to the vendor of the
 * site key only; with another key of the same vendor, most verify nothing, and nobody could sign in.
 */
export function needsAnotherSecret(before: CaptchaSettings = {}, after: CaptchaSettings = {}): boolean {
  const vendor = captchaVendorOf(before.siteKey ?? '');
  if (vendor === null || before.siteKey === after.siteKey) return false;
  return vendor !== captchaVendorOf(after.siteKey ?? '') || !SECRETS_OF_ACCOUNTS.includes(vendor);
}
