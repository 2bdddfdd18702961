import { describe, expect, it } from '@jest/globals';
import { RATE_RULES, RateLimited } from '../auth/index.js';
import { limitsOf } from './limits.js';

class Handlers {
  @RateLimited(RATE_RULES.nonce)
  knock(): void {}
}
const handler = Handlers.prototype.knock;
const ofAddress = (said?: string[]): string[] =>
  limitsOf('/doors', { responses: {}, ...(said && { 'x-limits': said }) }, handler).slice(0, 2);

describe('the limits of an operation', () => {
  it('are those of its handler and of everyone', () => {
    expect(ofAddress()).toEqual([
      '10 requests per minute and client address',
      '100 requests per minute and client address',
    ]);
    const other = '3 calls per minute and client address';
    expect(ofAddress([other])).toEqual([other, '10 requests per minute and client address']);
  });

  it('are said once, although the handler says them as well', () => {
    expect(ofAddress(['10 calls per minute and client address'])).toEqual(ofAddress());
    const more = '10 calls per minute and client address, together with those at the back door';
    expect(ofAddress([more])).toEqual([more, '10 requests per minute and client address']);
  });
});
