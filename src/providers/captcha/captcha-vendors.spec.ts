import { describe, expect, it } from '@jest/globals';
import { OutboundError, type OutboundHttp, type OutboundRequest } from '../../outbound/index.js';
import type { VendorFigures } from '../../observability/index.js';
import type { ProviderAddresses } from '../settings/provider-addresses.js';
import { CaptchaVendors } from './captcha-vendors.js';

const figures = { answered: () => undefined, failed: () => undefined } as Partial<VendorFigures> as VendorFigures;
const CLAIM = { siteKey: 'site', secret: 'shh', token: 'token', ipAddress: '192.0.2.1' };

function vendors(answer: { status?: number; body?: unknown; text?: string } | Error, api?: string) {
  const requests: OutboundRequest[] = [];
  const send = async (request: OutboundRequest) => {
    requests.push(request);
    if (answer instanceof Error) throw answer;
    const { status = 200, body, text = JSON.stringify(body) } = answer;
    return { status, headers: {}, body: Buffer.from(text), truncated: false, durationMs: 1 };
  };
  const http = { send } as Partial<OutboundHttp> as OutboundHttp;
  const addresses = { of: () => (api ? { api } : {}) } as Partial<ProviderAddresses> as ProviderAddresses;
  return { vendors: new CaptchaVendors(http, addresses, figures), requests };
}

describe('the vendor of a captcha', () => {
  it.each([
    ['hcaptcha', 'https://api.hcaptcha.com/siteverify', 'site'],
    ['turnstile', 'https://challenges.cloudflare.com/turnstile/v0/siteverify', null],
    ['recaptcha', 'https://www.google.com/recaptcha/api/siteverify', null],
  ] as const)('%s is asked at %s', async (vendor, url, siteKey) => {
    const peer = vendors({ body: { success: true } });
    expect(await peer.vendors.verdict(vendor, CLAIM)).toBe('passed');
    const [request] = peer.requests;
    expect(request!.url).toBe(url);
    const form = new URLSearchParams(String(request!.body));
    expect(Object.fromEntries(form)).toMatchObject({ secret: 'shh', response: 'token', remoteip: '192.0.2.1' });
    expect(form.get('sitekey')).toBe(siteKey);
  });

  it('is asked elsewhere where the deployment says so', async () => {
    const peer = vendors({ body: { success: true } }, 'https://captcha.example');
    await peer.vendors.verdict('turnstile', CLAIM);
    expect(peer.requests[0]!.url).toBe('https://captcha.example/turnstile/v0/siteverify');
  });

  it.each([
    ['refused', { body: { success: false, 'error-codes': ['timeout-or-duplicate'] } }],
    ['refused', { body: { success: false } }],
    ['unavailable', { body: { success: false, 'error-codes': ['invalid-input-secret'] } }],
    ['unavailable', { body: { success: false, 'error-codes': ['sitekey-secret-mismatch'] } }],
    ['unavailable', { body: { success: false, 'error-codes': ['internal-error'] } }],
    ['unavailable', { body: { success: false, 'error-codes': ['invalid-remoteip'] } }],
    ['refused', { body: { success: false, 'error-codes': [{ toString: null }, 7] } }],
    ['unavailable', { body: { success: 'true' } }],
    ['unavailable', { body: {} }],
    ['unavailable', { body: null }],
    ['unavailable', { text: '<html>' }],
    ['unavailable', { status: 500, body: { success: true } }],
    ['unavailable', { status: 302, body: { success: true } }],
    ['unavailable', new OutboundError('timeout', 'too slow')],
  ] as const)('means %s by %j', async (verdict, answer) => {
    expect(await vendors(answer).vendors.verdict('turnstile', CLAIM)).toBe(verdict);
  });

  it.each([
    ['passed', 'recaptcha', 0.9],
    ['passed', 'recaptcha', 0.5],
    ['refused', 'recaptcha', 0.1],
    ['passed', 'hcaptcha', 0.1],
    ['passed', 'hcaptcha', 0.5],
    ['refused', 'hcaptcha', 0.9],
    ['refused', 'hcaptcha', 'low'],
    ['passed', 'turnstile', 0.1],
  ] as const)(
    'means %s by %s with the score %s: hCaptcha scores risk, reCAPTCHA people',
    async (verdict, vendor, score) => {
      expect(await vendors({ body: { success: true, score } }).vendors.verdict(vendor, CLAIM)).toBe(verdict);
    },
  );

  it.each(['', 'x'.repeat(8_193)])('is not asked about a token that can be none', async (token) => {
    const peer = vendors({ body: { success: true } });
    expect(await peer.vendors.verdict('turnstile', { ...CLAIM, token })).toBe('refused');
    expect(peer.requests).toEqual([]);
  });
});
