import { describe, expect, it } from '@jest/globals';
import { getAddress, isAddress } from 'viem';
import { originOf, problemOf, type MessageTerms } from './message-rules.js';
import type { SignInMessage } from './sign-in-message.js';

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const NOW = new Date('2026-01-31T12:00:00Z');
const at = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1000);

const MESSAGE: SignInMessage = {
  scheme: null,
  domain: 'example.com',
  account: 'Ethereum',
  address: ADDRESS,
  statement: null,
  uri: 'https://example.com/login',
  version: '1',
  chainId: '1',
  nonce: '0123456789abcdef',
  issuedAt: NOW,
  expirationTime: null,
  notBefore: null,
  requestId: null,
  resources: [],
};
const TERMS: MessageTerms = {
  now: NOW,
  account: 'Ethereum',
  address: ADDRESS,
  addressOf: (text) => (isAddress(text, { strict: false }) ? getAddress(text) : null),
  origin: 'https://example.com',
};

describe('the rules of a sign-in message', () => {
  it.each<[string, Partial<SignInMessage>, Partial<MessageTerms>]>([
    ['as it should be', {}, {}],
    ['with its scheme', { scheme: 'https' }, {}],
    ['from a program that is no browser', {}, { origin: null }],
    ['of a clock that is 59 s ahead', { issuedAt: at(59) }, {}],
    ['that is nine minutes old', { issuedAt: at(-540) }, {}],
    ['that has not expired', { expirationTime: at(1) }, {}],
    ['that is good by now', { notBefore: NOW }, {}],
    [
      'of a page on a port',
      { domain: 'localhost:3000', uri: 'http://localhost:3000' },
      { origin: 'http://localhost:3000' },
    ],
    ['of an extension', { domain: 'abc', uri: 'chrome-extension://abc' }, { origin: 'chrome-extension://abc' }],
  ])('admit one %s', (_, message, terms) => {
    expect(problemOf({ ...MESSAGE, ...message }, { ...TERMS, ...terms })).toBeNull();
  });

  it.each<[string, Partial<SignInMessage>, Partial<MessageTerms>, RegExp]>([
    ['of another chain', { account: 'Solana' }, {}, /another chain/],
    ['of another address', { address: '0x52908400098527886E0F7030069857D2E4169EE7' }, {}, /address of the request/],
    ['whose address has no checksum', { address: ADDRESS.toLowerCase() }, {}, /checksum/],
    ['whose URI is none', { uri: 'example.com' }, {}, /"URI"/],
    ['whose URI is no page', { uri: 'javascript:alert(1)' }, {}, /"URI"/],
    ['whose URI has a user', { uri: 'https://ann@example.com/login' }, {}, /address of a page/],
    ['whose URI has a password', { uri: 'https://:secret@example.com/login' }, {}, /address of a page/],
    ['whose URI begins as another site', { uri: 'https://example.com@evil.example/' }, {}, /address of a page/],
    ['whose domain is not that of its URI', { domain: 'evil.example' }, {}, /domain/],
    ['whose domain lacks the port', { uri: 'https://example.com:8443' }, {}, /domain/],
    ['whose domain is a suffix', { domain: 'ample.com' }, {}, /domain/],
    ['whose scheme is not that of its URI', { scheme: 'http' }, {}, /scheme/],
    ['that another site presents', {}, { origin: 'https://evil.example' }, /another site/],
    ['that a page without an origin presents', {}, { origin: 'null' }, /another site/],
    ['of another version', { version: '2' }, {}, /"Version"/],
    ['of a version that only begins with 1', { version: '1.0' }, {}, /"Version"/],
    ['whose nonce is short', { nonce: 'abcdefg' }, {}, /"Nonce"/],
    ['whose nonce has other characters', { nonce: '01234567-9abcdef' }, {}, /"Nonce"/],
    ['issued in two minutes', { issuedAt: at(120) }, {}, /future/],
    ['issued eleven minutes ago', { issuedAt: at(-660) }, {}, /ten minutes/],
    ['that has just expired', { expirationTime: NOW }, {}, /has passed/],
    ['that expired before it was issued', { issuedAt: at(50), expirationTime: at(40) }, {}, /before "Issued At"/],
    ['that is not good yet', { notBefore: at(1) }, {}, /"Not Before"/],
  ])('refuse one %s', (_, message, terms, problem) => {
    expect(problemOf({ ...MESSAGE, ...message }, { ...TERMS, ...terms })).toMatch(problem);
  });

  it('compare origins as browsers write them', () => {
    expect(originOf('HTTPS://Example.COM:443/a?b#c')).toBe('https://example.com');
    expect(originOf('ftp://example.com')).toBeNull();
  });
});
