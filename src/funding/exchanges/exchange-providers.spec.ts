import { describe, expect, it } from '@jest/globals';
import { faultsOf, missingScopes } from './exchange-providers.js';

describe('the providers of an exchange', () => {
  it.each([
    [{ exchange: 'coinbase' as const }, []],
    [
      { exchange: 'coinbase' as const, socialProvider: 'coinbasesocial', onRampProvider: 'coinbaseOnramp' } as const,
      [],
    ],
    [{ exchange: 'kraken' as const, socialProvider: 'kraken' } as const, []],
    [{ exchange: 'kraken' as const, socialProvider: 'coinbasesocial' } as const, ['socialProvider']],
    [{ exchange: 'kraken' as const, onRampProvider: 'banxa' } as const, ['onRampProvider']],
    [
      { exchange: 'coinbase' as const, socialProvider: 'github', onRampProvider: 'banxa' } as const,
      ['socialProvider', 'onRampProvider'],
    ],
  ])('of %j: %j are not its own', (request, fields) => {
    expect(faultsOf(request).map(({ field }) => field)).toEqual(fields);
  });

  it('have to ask for what paying out takes', () => {
    expect(missingScopes('coinbase', 'wallet:user:read wallet:accounts:read')).toEqual([
      'wallet:transactions:read',
      'wallet:transactions:send',
    ]);
    expect(missingScopes('kraken', undefined)).toEqual(['account.fast-api-key:write']);
    expect(missingScopes('kraken', 'account.info:basic account.fast-api-key:write')).toEqual([]);
  });
});
