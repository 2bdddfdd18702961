import { describe, expect, it } from '@jest/globals';
import { parseWebsiteUrl } from './website-url.js';

describe('the site of an organization', () => {
  it.each(['https://example.com', 'http://example.com/a?b=c#d', 'https://exämple.com:8443/'])('may be %s', (text) => {
    expect(parseWebsiteUrl(text)).toBe(text);
  });

  it('may be absent or empty', () => {
    expect([parseWebsiteUrl(undefined), parseWebsiteUrl('')]).toEqual([null, null]);
  });

  it.each([
    ...[
      'javascript:alert(1)',
      'data:text/html,x',
      'ftp://example.com',
      '//example.com',
      'example.com',
      'https://',
      'https:example.com',
      'https:/example.com',
      ' https://example.com',
      'https://exam\nple.com',
      ' ',
    ],
    ...['https://user@example.com', 'https://:secret@example.com', 'file:///etc/passwd'],
  ])('is never %s', (text) => {
    expect(() => parseWebsiteUrl(text)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
  });
});
