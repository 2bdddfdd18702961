import { describe, expect, it } from '@jest/globals';
import { parseOrigin } from './parse-origin.js';

describe('an origin to register', () => {
  it.each([
    ['https://app.example.com', 'https://app.example.com'],
    ['https://APP.Example.com', 'https://app.example.com'],
    ['https://app.example.com:443', 'https://app.example.com'],
    ['https://app.example.com:8443', 'https://app.example.com:8443'],
    ['https://*.Example.com', 'https://*.example.com'],
    ['https://*.example.com:8443', 'https://*.example.com:8443'],
    ['https://*.acme.vercel.app', 'https://*.acme.vercel.app'],
    ['https://198.51.100.7', 'https://198.51.100.7'],
    ['https://a_b.example.com', 'https://a_b.example.com'],
    ['https://localhost:3000', 'https://localhost:3000'],
    ['http://localhost:5173', 'http://localhost:5173'],
    ['http://localhost:*', 'http://localhost:*'],
    ['http://127.0.0.1:*', 'http://127.0.0.1:*'],
    ['http://localhost:80', 'http://localhost'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://shop.localhost:3000', 'http://shop.localhost:3000'],
    ['chrome-extension://abcdefghijklmnopabcdefghijklmnop', 'chrome-extension://abcdefghijklmnopabcdefghijklmnop'],
    ['moz-extension://9E1C5A3B-0000-4000-8000-000000000000', 'moz-extension://9e1c5a3b-0000-4000-8000-000000000000'],
  ])('%s is kept as %s', (text, origin) => {
    expect(parseOrigin(text, 'sandbox')).toEqual({ origin });
  });

  it.each([
    ['null'],
    ['*'],
    ['https://*'],
    ['https://*:8443'],
    ['https://*.com'],
    ['https://*.co.uk'],
    ['https://*.vercel.app'],
    ['https://*.github.io'],
    ['https://*.glitch.me'],
    ['https://*.x.kawasaki.jp'],
    ['https://*.kawasaki.jp'],
    ['https://*.0.0.1'],
    ['https://*.localhost'],
    ['https://*.*.example.com'],
    ['https://app.*.example.com'],
    ['https://app-*.example.com'],
    ['https://*app.example.com'],
    ['https://*.a_b.example.com'],
    ['https://app.example.com:*'],
    ['http://app.example.com'],
    ['http://*.localhost'],
    ['http://shop.localhost:*'],
    ['https://localhost:*'],
    ['http://127.0.0.*:3000'],
    ['http://localhost.evil.test'],
    ['https://app.example.com.'],
    ['https://app.example.com.:8443'],
    ['https://app.example.com/'.concat('path')],
    ['https://user@app.example.com'],
    ['https://app.example.com?x'],
    ['https://app.example.com:99999'],
    ['https://256.256.256.256'],
    ['https://..'],
    ['chrome-extension://*'],
    ['chrome-extension://a.b'],
    ['file://'],
    ['javascript:alert(1)'],
  ])('%s is refused, with a reason', (text) => {
    expect(parseOrigin(text, 'sandbox')).toEqual({ refusal: expect.stringMatching(/\.$/) });
  });

  it.each(['live', 'console'] as const)('in plain http is refused outside the sandbox: %s', (kind) => {
    expect(parseOrigin('http://localhost:5173', kind).refusal).toContain('sandbox');
    expect(parseOrigin('http://localhost:*', kind).refusal).toContain('sandbox');
    expect(parseOrigin('https://localhost:5173', kind)).toEqual({ origin: 'https://localhost:5173' });
  });
});
