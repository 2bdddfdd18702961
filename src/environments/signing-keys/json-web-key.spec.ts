import { describe, expect, it } from '@jest/globals';
import { createPublicKey } from 'node:crypto';
import { toJsonWebKey } from './json-web-key.js';

/** RFC 7517 appendix A.1, second key. */
const RFC_KEY = {
  kty: 'RSA',
  n:
    '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3okn' +
    'jhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qM' +
    'QvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJz' +
    'KnqDKgw',
  e: 'AQAB',
};

describe('a public key in a key set', () => {
  const pem = createPublicKey({ key: RFC_KEY, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString();

  it('has the members of RFC 7517 and no others', () => {
    expect(toJsonWebKey('key-1', pem)).toEqual({
      kid: 'key-1',
      alg: 'RS256',
      kty: 'RSA',
      use: 'sig',
      e: RFC_KEY.e,
      n: RFC_KEY.n,
    });
  });

  it('is refused when the text is no key', () => {
    expect(() => toJsonWebKey('key-1', pem.slice(0, 100))).toThrow();
  });
});
