import { describe, expect, it } from '@jest/globals';
import { networkNamed } from './network-names.js';

describe('the network of a chain', () => {
  it.each([
    ['SOL', 'solana'],
    ['BTC', 'bitcoin'],
    ['ALGO', 'algo'],
    ['SUI', 'sui'],
    ['EVM', 'evm'],
  ])('is the same by the name of %s and by that for clients, %s', (chain, name) => {
    expect(networkNamed(chain)).toEqual(expect.objectContaining({ symbol: expect.any(String) }));
    expect(networkNamed(name)).toEqual(networkNamed(chain));
  });

  it('is none for a name that no chain has', () => {
    expect(['toString', 'ethereum', ''].map((name) => networkNamed(name))).toEqual([null, null, null]);
  });
});
