import { describe, expect, it } from '@jest/globals';
import { isWildcardOrigin, matchesOrigin } from './origin-match.js';

const EXACT = 'https://app.example.com';
const WILD = 'https://*.example.com';

describe('an origin is admitted', () => {
  it.each([
    ['the very same', EXACT, 'https://app.example.com'],
    ['the same with a port', 'https://app.example.com:8443', 'https://app.example.com:8443'],
    ['one label for the wildcard', WILD, 'https://shop.example.com'],
    ['another label for the wildcard', WILD, 'https://a.example.com'],
    ['a label with digits and hyphens', WILD, 'https://pr-12--x.example.com'],
    ['an international label as browsers write it', WILD, 'https://xn--bcher-kva.example.com'],
    ['a wildcard with a port', 'https://*.example.com:8443', 'https://shop.example.com:8443'],
    ['a wildcard two levels down', 'https://*.dev.example.com', 'https://a.dev.example.com'],
    ['a wildcard below a name at a host of many', 'https://*.acme.vercel.app', 'https://pr1.acme.vercel.app'],
    ['localhost on any port', 'http://localhost:*', 'http://localhost:5173'],
    ['localhost on the default port', 'http://localhost:*', 'http://localhost'],
    ['the loopback address on any port', 'http://127.0.0.1:*', 'http://127.0.0.1:8080'],
    ['localhost in plain http', 'http://localhost:5173', 'http://localhost:5173'],
    ['a name below localhost', 'http://shop.localhost:3000', 'http://shop.localhost:3000'],
    ['the loopback address', 'http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['an extension of a browser', 'chrome-extension://abcdefghijklmnop', 'chrome-extension://abcdefghijklmnop'],
  ])('%s', (_, pattern, origin) => {
    expect(matchesOrigin(pattern, origin)).toBe(true);
  });
});

describe('an origin is refused', () => {
  it.each([
    ['null', EXACT, 'null'],
    ['null even when it is on the list', 'null', 'null'],
    ['nothing', EXACT, ''],
    ['another scheme', EXACT, 'http://app.example.com'],
    ['another port', EXACT, 'https://app.example.com:8443'],
    ['the default port written out', 'https://app.example.com:443', 'https://app.example.com:443'],
    ['another host', EXACT, 'https://api.example.com'],
    ['a host that goes on', EXACT, 'https://app.example.com.evil.test'],
    ['a host that begins earlier', EXACT, 'https://evilapp.example.com'],
    ['a host with another dot', EXACT, 'https://app-example.com'],
    ['a trailing dot', EXACT, 'https://app.example.com.'],
    ['a trailing slash', EXACT, 'https://app.example.com/'],
    ['a path', EXACT, 'https://app.example.com/x'],
    ['credentials before the host', EXACT, 'https://app.example.com@evil.test'],
    ['credentials in the origin', EXACT, 'https://user@app.example.com'],
    ['upper case', EXACT, 'https://APP.example.com'],
    ['a space', EXACT, ' https://app.example.com'],
    ['two origins', EXACT, 'https://app.example.com https://evil.test'],
    ['plain http that is listed', 'http://app.example.com', 'http://app.example.com'],
    ['plain http of a lookalike', 'http://localhost.evil.test', 'http://localhost.evil.test'],
    ['plain http below a wildcard', 'http://*.example.com', 'http://shop.example.com'],
    ['the bare domain of a wildcard', WILD, 'https://example.com'],
    ['two labels for a wildcard', WILD, 'https://a.b.example.com'],
    ['an empty label for a wildcard', WILD, 'https://.example.com'],
    ['the wildcard itself', WILD, 'https://*.example.com'],
    ['a label that ends the wildcard differently', WILD, 'https://shop.example.com.evil.test'],
    ['a domain that only ends like the wildcard', WILD, 'https://shop.notexample.com'],
    ['a label with an underscore', WILD, 'https://a_b.example.com'],
    ['another port below a wildcard', WILD, 'https://shop.example.com:8443'],
    ['everything', '*', 'https://app.example.com'],
    ['everything in https', 'https://*', 'https://app.example.com'],
    ['a whole top-level domain', 'https://*.com', 'https://example.com'],
    ['a whole registry', 'https://*.co.uk', 'https://example.co.uk'],
    ['all sites of a host of many', 'https://*.vercel.app', 'https://evil.vercel.app'],
    ['all pages of a host of many', 'https://*.github.io', 'https://evil.github.io'],
    ['everything below a registry of cities', 'https://*.kawasaki.jp', 'https://evil.kawasaki.jp'],
    ['a host of many right below a wildcard', 'https://*.railway.app', 'https://up.railway.app'],
    ['storage of everybody', 'https://*.amazonaws.com', 'https://s3.amazonaws.com'],
    ['an extension that is no browser’s own', 'x-extension://abc', 'x-extension://abc'],
    ['a wildcard in the middle', 'https://app.*.com', 'https://app.evil.com'],
    ['a wildcard within a label', 'https://app-*.example.com', 'https://app-1.example.com'],
    ['two wildcards', 'https://*.*.example.com', 'https://a.b.example.com'],
    ['a wildcard over an address', 'https://*.0.0.1', 'https://127.0.0.1'],
    ['another extension', 'chrome-extension://abcdefghijklmnop', 'chrome-extension://ponmlkjihgfedcba'],
    ['a lookalike on any port', 'http://localhost:*', 'http://localhost.evil.test:80'],
    ['a name below localhost, on any port', 'http://localhost:*', 'http://shop.localhost:3000'],
    ['another address, on any port', 'http://127.0.0.1:*', 'http://127.0.0.2:80'],
    ['a dot that is any character', 'http://127.0.0.1:*', 'http://127a0b0c1:80'],
    ['https, on any port', 'http://localhost:*', 'https://localhost:3000'],
    ['a file', 'file://', 'file://'],
    ['a scheme of scripts', 'javascript:alert(1)', 'javascript:alert(1)'],
  ])('%s', (_, pattern, origin) => {
    expect(matchesOrigin(pattern, origin)).toBe(false);
  });
});

describe('a wildcard', () => {
  it('needs two labels of its own, no shared suffix, and https', () => {
    expect(isWildcardOrigin('https://*.example.com')).toBe(true);
    expect(isWildcardOrigin('https://*.example.co.uk')).toBe(true);
    for (const pattern of ['https://example.com', 'https://*.com', 'https://*.netlify.app', 'http://*.example.com']) {
      expect(isWildcardOrigin(pattern)).toBe(false);
    }
  });
});
