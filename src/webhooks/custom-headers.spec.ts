import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../common/errors/index.js';
import { checkHeaders, type CustomHeader } from './custom-headers.js';

const reasonOf = (...headers: CustomHeader[]): unknown => {
  try {
    return checkHeaders(headers);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(JSON.stringify(error)).not.toContain('value-of-it');
    return (error.details.payload as { reason: string }).reason;
  }
};

describe('header fields of a webhook', () => {
  it('are kept with names in lower case', () => {
    expect(checkHeaders([{ name: 'Authorization', value: 'Bearer a\tb' }])).toEqual([
      { name: 'authorization', value: 'Bearer a\tb' },
    ]);
  });

  it.each(['x a', 'x:a', '', 'x\r\na', 'ü', ':path', 'a'.repeat(65)])('cannot be called %j', (name) => {
    expect(reasonOf({ name, value: 'value-of-it' })).toBe('name');
  });

  it.each([
    ...['Host', 'content-length', 'Content-Type', 'Transfer-Encoding', 'connection', 'keep-alive', 'TE', 'trailer'],
    ...['upgrade', 'expect', 'proxy-authorization', 'Webhook-Signature', 'webhook-id', 'webhook-timestamp'],
    ...['x-webhook-signature-256', 'svix-signature', 'User-Agent', 'x-forwarded-for', 'forwarded', 'accept-encoding'],
  ])('cannot take the place of %s', (name) => {
    expect(reasonOf({ name, value: 'value-of-it' })).toBe('reserved');
  });

  it.each(['a\r\nx-other: 1', 'a\nb', 'a\0', ' a', 'a ', '', 'ü', '\t', 'a'.repeat(1025)])(
    'cannot have the value %j',
    (value) => expect(reasonOf({ name: 'x-key', value })).toBe('value'),
  );

  it('are each given once, in any case', () => {
    const twice = [
      { name: 'x-key', value: 'value-of-it' },
      { name: 'X-Key', value: 'other' },
    ];
    expect(reasonOf(...twice)).toBe('repeated');
  });
});
