import { describe, expect, it } from '@jest/globals';
import { emailDomainOf, issuerOf } from './issuer.js';

describe('the issuer of a domain', () => {
  it.each([
    ['acme.okta.com', 'https://acme.okta.com'],
    [' ACME.okta.com ', 'https://acme.okta.com'],
    ['https://acme.okta.com', 'https://acme.okta.com'],
    ['acme.auth0.com/', 'https://acme.auth0.com/'],
    ['acme.okta.com/oauth2/default', 'https://acme.okta.com/oauth2/default'],
    ['acme.okta.com:8443/a/', 'https://acme.okta.com:8443/a/'],
    ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
    ['http://[::1]:4000/a', 'http://[::1]:4000/a'],
  ])('of %p is %p', (text, issuer) => expect(issuerOf(text)).toBe(issuer));

  it.each([
    '',
    ' ',
    'http://acme.okta.com',
    'http://localhost.example.com',
    'ftp://acme.okta.com',
    'acme.okta.com?a=b',
    'acme.okta.com#a',
    'https://user:pass@acme.okta.com',
    'acme okta.com',
    'acme.okta.com\\evil.example',
    'https://',
    'javascript://a',
  ])('does not exist for %p', (text) => expect(issuerOf(text)).toBeNull());
});

describe('the email domain', () => {
  it.each([
    ['acme.com', 'acme.com'],
    [' People.ACME.co.uk ', 'people.acme.co.uk'],
    ['müller.example', 'xn--mller-kva.example'],
  ])('%p is %p', (text, domain) => expect(emailDomainOf(text)).toBe(domain));

  it.each([
    '',
    'com',
    'co.uk',
    'github.io',
    'localhost',
    '127.0.0.1',
    'a b.com',
    'acme.com/x',
    '@acme.com',
    '.acme.com',
    'acme..com',
    'https://acme.com',
  ])('is not %p', (text) => expect(emailDomainOf(text)).toBeNull());
});
