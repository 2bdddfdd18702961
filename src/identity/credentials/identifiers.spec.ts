import { describe, expect, it } from '@jest/globals';
import { normaliseEmail, normalisePhone, socialAccountKey, socialUsernameKey } from './identifiers.js';

describe('an email', () => {
  it.each([
    ['ana@example.com', 'ana@example.com'],
    ['Ana.B+shop@Example.COM', 'ana.b+shop@example.com'],
    [' ana@example.com ', 'ana@example.com'],
    ['ana@bücher.example', 'ana@xn--bcher-kva.example'],
    ['ana@BÜCHER.example', 'ana@xn--bcher-kva.example'],
    ['ana@xn--bcher-kva.example', 'ana@xn--bcher-kva.example'],
    ['ANA@bu\u0308cher.example', 'ana@xn--bcher-kva.example'],
    // A capital letter of two characters, of which the small letter has one.
    ['J\u030ca@example.com', '\u01f0a@example.com'],
    ['j\u030ca@example.com', '\u01f0a@example.com'],
  ])('%s is compared as %s', (text, normal) => {
    expect(normaliseEmail(text)?.normal).toBe(normal);
  });

  it.each([
    '',
    'ana',
    '@example.com',
    'ana@',
    'ana@example',
    'a b@example.com',
    'ana@@example.com',
    'ana@.example.com',
    'ana@example.com.',
    `${'a'.repeat(65)}@example.com`,
    `ana@${'a'.repeat(250)}.com`,
    'ana@exa mple.com',
    'ana@example.com#.elsewhere.example',
    'ana@example.com/.elsewhere.example',
    'ana@example.com?.elsewhere.example',
    'ana@example.com\\.elsewhere.example',
    'ana@example%2ecom',
    'ana@example.com:80',
    // Letters of which the domain gets a mark that no domain has.
    'ana@evil.example\ufe50example.com',
    'ana@evil.example\ufe10example.com',
    'ana@evil.example\ufe54example.com',
    'ana@evil.example\ufe59example.com',
    'ana@evil.example,example.com',
  ])('%j is none', (text) => {
    expect(normaliseEmail(text)).toBeNull();
  });

  it('is found under each way to write its domain', () => {
    const spellings = ['ana@xn--bcher-kva.example', 'ana@bücher.example'];
    expect(normaliseEmail('Ana@Bücher.example')?.spellings.sort()).toEqual(spellings.sort());
    expect(normaliseEmail('ana@xn--bcher-kva.example')?.spellings.sort()).toEqual(spellings.sort());
    expect(normaliseEmail('ana@example.com')?.spellings).toEqual(['ana@example.com']);
  });

  it('with a look-alike letter is another', () => {
    expect(normaliseEmail('аna@example.com')?.normal).not.toBe('ana@example.com');
    expect(normaliseEmail('ana@exаmple.com')?.normal).toBe('ana@xn--exmple-4nf.com');
  });
});

describe('a phone number', () => {
  const zurich = { e164: '+41446681800', national: '446681800', countryCode: '41', isoCountryCode: 'CH' };

  it.each([
    ['+41446681800', {}],
    ['+41 44 668 18 00', {}],
    ['044 668 18 00', { isoCountryCode: 'CH' }],
    ['044 668 18 00', { isoCountryCode: 'ch', phoneCountryCode: '41' }],
    ['446681800', { phoneCountryCode: '41' }],
    ['446681800', { phoneCountryCode: '+41' }],
    ['+41446681800', { isoCountryCode: 'US' }],
  ])('%s with %j is one number', (text, country) => {
    expect(normalisePhone(text, country)).toEqual(zurich);
  });

  it.each([
    ['044 668 18 00', {}],
    ['', { isoCountryCode: 'CH' }],
    ['12', { isoCountryCode: 'CH' }],
    ['+999123456789', {}],
    ['hello', { phoneCountryCode: '41' }],
    ['+4144668180000000000', {}],
  ])('%s with %j is none', (text, country) => {
    expect(normalisePhone(text, country)).toBeNull();
  });
});

describe('a social account', () => {
  it('is compared exactly, within its provider', () => {
    expect(socialAccountKey('google', 'Abc')).not.toBe(socialAccountKey('google', 'abc'));
    expect(socialAccountKey('google', '1')).not.toBe(socialAccountKey('github', '1'));
  });

  it('name is compared without case and without its at sign', () => {
    expect(socialUsernameKey('twitter', '@Ana')).toBe(socialUsernameKey('twitter', 'ana'));
    expect(socialUsernameKey('twitter', 'ana')).not.toBe(socialUsernameKey('github', 'ana'));
  });
});
