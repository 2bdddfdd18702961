import { describe, expect, it } from '@jest/globals';
import { parseHostname } from './parse-hostname.js';

const OWN = ['id.gatehouse.example.net', 'edge.example.net'];
const label = (length: number): string => 'a'.repeat(length);

describe('a host name to register', () => {
  it.each([
    ['auth.example.com', 'auth.example.com'],
    ['AUTH.example.COM', 'auth.example.com'],
    ['a.b.example.co.uk', 'a.b.example.co.uk'],
    ['auth.acme.vercel.app', 'auth.acme.vercel.app'],
    ['xn--bcher-kva.example.com', 'xn--bcher-kva.example.com'],
    ['other.gatehouse.example.net', 'other.gatehouse.example.net'],
    [`${label(63)}.example.com`, `${label(63)}.example.com`],
  ])('%s is kept as %s', (text, hostname) => {
    expect(parseHostname(text, OWN)).toEqual({ hostname });
  });

  it.each([
    ['example.com'],
    ['com'],
    ['example.co.uk'],
    ['co.uk'],
    ['vercel.app'],
    ['acme.vercel.app'],
    ['localhost'],
    ['auth.localhost'],
    ['auth.corp.internal'],
    ['db.local'],
    ['id.gatehouse.example.net'],
    ['a.id.gatehouse.example.net'],
    ['edge.example.net'],
    ['a-.example.com'],
    ['auth.-a.example.com'],
    ['a..example.com'],
    ['auth.example.com.'],
    ['127.0.0.1'],
    [`${label(64)}.example.com`],
    [`${Array.from({ length: 4 }, () => label(61)).join('.')}.example.com`],
  ])('%s is refused, with a reason', (text) => {
    expect(parseHostname(text, OWN)).toEqual({ refusal: expect.stringMatching(/\.$/) });
  });
});
