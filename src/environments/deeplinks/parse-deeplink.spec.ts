import { describe, expect, it } from '@jest/globals';
import { parseDeeplink } from './parse-deeplink.js';

describe('a deeplink to register', () => {
  it.each([
    ['myapp://', 'myapp://'],
    ['myapp://callback', 'myapp://callback'],
    ['MyApp://Callback/Path', 'myapp://Callback/Path'],
    ['com+example-app://sign-in?from=gatehouse', 'com+example-app://sign-in?from=gatehouse'],
    ['myapp://*', 'myapp://*'],
    ['myapp://callback/*', 'myapp://callback/*'],
    ['exp://127.0.0.1:*', 'exp://127.0.0.1:*'],
    ['https://App.Example.com/Return', 'https://app.example.com/Return'],
    ['https://app.example.com:443/a', 'https://app.example.com/a'],
    ['https://app.example.com/*', 'https://app.example.com/*'],
    ['https://*.example.com/return', 'https://*.example.com/return'],
    ['https://localhost:*/return', 'https://localhost:*/return'],
    ['http://127.0.0.1:*/return', 'http://127.0.0.1:*/return'],
    ['http://localhost?a=b', 'http://localhost?a=b'],
    ['http://LocalHost:8080/return', 'http://localhost:8080/return'],
    ['http://app.localhost/return', 'http://app.localhost/return'],
    ['myapp://a/b%20c', 'myapp://a/b%20c'],
  ])('%s is kept as %s', (text, url) => {
    expect(parseDeeplink(text)).toEqual({ url });
  });

  it.each([
    ['javascript://alert(1)'],
    ['JavaScript://%0aalert(1)'],
    ['javascript://callback/%0aalert(1)'],
    ['data://text/html,x'],
    ['vbscript://x'],
    ['file:///etc/passwd'],
    ['FILE://host/share'],
    ['blob://x'],
    ['intent://scan/'],
    ['view-source://x'],
    ['nothing'],
    ['myapp:callback'],
    ['://callback'],
    ['myapp://a/* /*'],
    ['myapp://*/*'],
    ['myapp://a b'],
    ['myapp://a\\b'],
    ['myapp://a/<script>'],
    ['myapp://a/"'],
    ['myapp://a/\u0000'],
    ['myapp://a/\n'],
    ['myapp://a/ü'],
    ['myapp://a#fragment'],
    ['https://'],
    ['https:///example.com'],
    ['https://*'],
    ['https://*/return'],
    ['https://*.com/return'],
    ['https://*.vercel.app/return'],
    ['https://app.example.com*/return'],
    ['https://app.*.example.com/return'],
    ['https://*app.example.com/return'],
    ['http://*.example.com/return'],
    ['http://app.example.com/return'],
    ['HTTP://app.example.com:8080/return'],
    ['http://localhost.example.com/return'],
    ['http://192.168.1.5/return'],
    ['http://app.example.com:*/return'],
    ['https://user@example.com/return'],
    ['https://example.com:99999/return'],
    ['https://256.256.256.256/return'],
  ])('%s is refused, with a reason', (text) => {
    expect(parseDeeplink(text)).toEqual({ refusal: expect.stringMatching(/\.$/) });
  });

  it('has 2,048 characters at most', () => {
    const of = (length: number): string => 'myapp://a/'.padEnd(length, 'x');
    expect(parseDeeplink(of(2_047)).url).toHaveLength(2_047);
    expect(parseDeeplink(of(2_048)).url).toHaveLength(2_048);
    expect(parseDeeplink(of(2_049)).refusal).toContain('2,048');
  });
});
