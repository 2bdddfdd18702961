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

/** The secret goes to the site key's vendor: it must be re-entered for another vendor, or after a time without one. */
export function goesElsewhere(before: CaptchaSettings = {}, after: CaptchaSettings = {}): boolean {
  const vendor = captchaVendorOf(before.siteKey ?? '');
  return vendor !== null && vendor !== captchaVendorOf(after.siteKey ?? '');
}
