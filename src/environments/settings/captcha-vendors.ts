import type { CaptchaSettings } from './settings.types.js';

export type CaptchaVendor = 'hcaptcha' | 'turnstile' | 'recaptcha';

/** What site keys look like, by which the settings name their vendor. */
const SITE_KEYS: readonly (readonly [CaptchaVendor, RegExp])[] = [
  // https://docs.hcaptcha.com: a UUID.
  ['hcaptcha', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  // https://developers.cloudflare.com/turnstile: 0x4…, and 1x0… to 3x0… for tests.
  ['turnstile', /^[0-3]x[\w-]{20,64}$/],
  // https://developers.google.com/recaptcha: 6L…
  ['recaptcha', /^6L[\w-]{38}$/],
];

/** Who checks what a page with this site key brings; null for a key of no vendor that is known here. */
export const captchaVendorOf = (siteKey: string): CaptchaVendor | null =>
  SITE_KEYS.find(([, form]) => form.test(siteKey))?.[0] ?? null;

/** Whether a vendor is to check what pages bring, which it does for the holder of the secret alone. */
export const asksVendor = ({ enabled, siteKey }: CaptchaSettings = {}): boolean => Boolean(enabled && siteKey);

/** A secret goes to the vendor of the site key: for another vendor, or after a time without one, it must be given again. */
export function goesElsewhere(before: CaptchaSettings = {}, after: CaptchaSettings = {}): boolean {
  const vendor = captchaVendorOf(before.siteKey ?? '');
  return vendor !== null && vendor !== captchaVendorOf(after.siteKey ?? '');
}
