import { describe, expect, it } from '@jest/globals';
import { asksVendor, captchaVendorOf, needsAnotherSecret } from './captcha-vendors.js';

const HCAPTCHA = '10000000-ffff-ffff-ffff-000000000001';
const TURNSTILE = '1x00000000000000000000AA';
const RECAPTCHA = '6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI';

describe('the vendor of a captcha', () => {
  it.each([
    [HCAPTCHA, 'hcaptcha'],
    [TURNSTILE, 'turnstile'],
    ['0x4AAAAAAADnPIDROrmt1Wwj', 'turnstile'],
    [RECAPTCHA, 'recaptcha'],
    ['my-site-key', null],
    ['', null],
    [`${RECAPTCHA}x`, null],
  ])('of the site key %s is %s', (siteKey, vendor) => {
    expect(captchaVendorOf(siteKey)).toBe(vendor);
  });

  it('is asked while the captcha is on and names a site key', () => {
    expect(asksVendor({ enabled: true, siteKey: HCAPTCHA })).toBe(true);
    expect(asksVendor({ enabled: false, siteKey: HCAPTCHA })).toBe(false);
    expect(asksVendor({ enabled: true, siteKey: '' })).toBe(false);
    expect(asksVendor({ enabled: true })).toBe(false);
    expect(asksVendor(undefined)).toBe(false);
  });

  it('is never given the secret of another one', () => {
    expect(needsAnotherSecret({ siteKey: HCAPTCHA }, { siteKey: TURNSTILE })).toBe(true);
    expect(needsAnotherSecret({ siteKey: HCAPTCHA }, {})).toBe(true);
    expect(needsAnotherSecret({}, { siteKey: TURNSTILE })).toBe(false);
    expect(needsAnotherSecret(undefined, undefined)).toBe(false);
  });

  it('has one secret for all site keys of an account, or one for each', () => {
    const another = '20000000-ffff-ffff-ffff-000000000002';
    expect(needsAnotherSecret({ siteKey: HCAPTCHA }, { siteKey: another })).toBe(false);
    expect(needsAnotherSecret({ siteKey: TURNSTILE }, { siteKey: '0x4AAAAAAADnPIDROrmt1Wwj' })).toBe(true);
    expect(needsAnotherSecret({ siteKey: RECAPTCHA }, { siteKey: RECAPTCHA.replace('MX', 'XM') })).toBe(true);
    expect(needsAnotherSecret({ siteKey: TURNSTILE }, { siteKey: TURNSTILE })).toBe(false);
  });
});
