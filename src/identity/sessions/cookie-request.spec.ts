import { describe, expect, it } from '@jest/globals';
import { mayUseCookie } from './cookie-request.js';

const OURS = 'https://app.example.com';
const isAllowed = (origin: string): boolean => origin === OURS;
const json = 'application/json';

describe('a request with the session cookie', () => {
  it.each([
    ['GET', undefined, undefined],
    ['HEAD', 'https://evil.example', undefined],
    ['POST', OURS, json],
    ['POST', OURS, 'application/json; charset=utf-8'],
    ['PUT', OURS, 'Application/JSON'],
    ['POST', OURS, undefined],
  ])('may act: %s from %p as %p', async (method, origin, contentType) => {
    await expect(mayUseCookie({ method, origin, contentType }, isAllowed)).resolves.toBe(true);
  });

  it.each([
    ['POST', undefined, json],
    ['POST', '', json],
    ['POST', 'null', json],
    ['POST', 'https://evil.example', json],
    ['POST', 'https://app.example.com.evil.example', json],
    ['DELETE', 'https://evil.example', undefined],
    ['POST', OURS, 'text/plain'],
    ['POST', OURS, 'application/x-www-form-urlencoded'],
    ['POST', OURS, 'multipart/form-data; boundary=application/json'],
    ['POST', OURS, 'application/jsonp'],
  ])('may not act: %s from %p as %p', async (method, origin, contentType) => {
    await expect(mayUseCookie({ method, origin, contentType }, isAllowed)).resolves.toBe(false);
  });

  it('from an origin `null` is refused even where a list would admit it', async () => {
    const request = { method: 'POST', origin: 'null', contentType: json };
    await expect(mayUseCookie(request, () => true)).resolves.toBe(false);
  });
});
