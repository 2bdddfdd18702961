import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { banxaToken } from './banxa-signature.js';

describe('the token of a call', () => {
  it('covers method, path with query, nonce and body, on lines of their own', () => {
    const hmac = (text: string) => createHmac('sha256', 'secret').update(text).digest('hex');
    const get = { method: 'GET', path: '/api/coins?a=1' } as const;
    expect(banxaToken('key', 'secret', get, 1612391416)).toBe(
      `key:${hmac('GET\n/api/coins?a=1\n1612391416')}:1612391416`,
    );
    const post = { method: 'POST', path: '/api/orders', body: '{"account_reference":"example_01"}' } as const;
    expect(banxaToken('key', 'secret', post, 1612391416)).toBe(
      `key:${hmac('POST\n/api/orders\n1612391416\n{"account_reference":"example_01"}')}:1612391416`,
    );
  });
});
