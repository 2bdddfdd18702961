import { describe, expect, it } from '@jest/globals';
import { addressKey } from './address-key.js';

describe('the key of an address', () => {
  it.each([
    ['EVM', ['0x70997970C51812dc3A010C7d01b50e0d17dc79C8', '0x70997970c51812dc3a010c7d01b50e0d17dc79c8']],
    ['Sui', [`0x${'a1'.repeat(32)}`, `0x${'A1'.repeat(32)}`]],
    ['Cosmos', ['cosmos1qyqszqgpqyqszqgpqyqszqgpqyqszqgpjnp7du', 'COSMOS1QYQSZQGPQYQSZQGPQYQSZQGPQYQSZQGPJNP7DU']],
    ['Bitcoin', ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4']],
    [
      'TON',
      [
        'UQCNWLNcjB7mqmaccPu742w7wq87Dc0SMCmpFkOETcXCrlJb',
        'EQCNWLNcjB7mqmaccPu742w7wq87Dc0SMCmpFkOETcXCrg-e',
        'EQCNWLNcjB7mqmaccPu742w7wq87Dc0SMCmpFkOETcXCrg+e',
        '0:8d58b35c8c1ee6aa669c70fbbbe36c3bc2af3b0dcd123029a91643844dc5c2ae',
      ],
    ],
  ])('is one for all forms that an address of %s has', (_, forms) => {
    expect(new Set(forms.map(addressKey)).size).toBe(1);
  });

  it('is the address itself where case counts', () => {
    const address = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
    expect(addressKey(address)).toBe(address);
    expect(addressKey(address.toLowerCase())).not.toBe(addressKey(address));
  });
});
