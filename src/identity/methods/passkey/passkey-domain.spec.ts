import { describe, expect, it } from '@jest/globals';
import { passkeyDomain } from './passkey-domain.js';

describe('the domain of passkeys', () => {
  it.each([
    ['https://example.com', 'example.com'],
    ['https://app.example.com', 'example.com'],
    ['https://app.example.com:8443', 'example.com'],
    ['https://*.example.com', 'example.com'],
    ['https://a.b.example.co.uk', 'example.co.uk'],
    ['http://localhost:3000', 'localhost'],
    ['https://team.vercel.app', 'team.vercel.app'],
    ['https://ada.github.io', 'ada.github.io'],
    ['https://bucket.amazonaws.com', 'bucket.amazonaws.com'],
  ])('of %s is what one owner has: %s', (site, domain) => expect(passkeyDomain(site)).toBe(domain));

  it.each([
    'http://127.0.0.1:3000',
    'https://[::1]',
    'chrome-extension://abcdefghijklmnop',
    'android:apk-key-hash:x',
    'null',
    '',
  ])('of %s does not exist', (site) => expect(passkeyDomain(site)).toBeNull());
});
