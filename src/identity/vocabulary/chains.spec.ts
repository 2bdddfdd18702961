import { describe, expect, it } from '@jest/globals';
import { CHAINS, chainOf, namespaceOf, type Chain } from './chains.js';

/** What the chain of a credential is called on the wire; clients throw on any other name. */
const TOLD: [Chain, string][] = [
  ['ETH', 'eip155'],
  ['EVM', 'eip155'],
  ['FLOW', 'flow'],
  ['SOL', 'solana'],
  ['ALGO', 'algorand'],
  ['STARK', 'starknet'],
  ['COSMOS', 'cosmos'],
  ['BTC', 'bip122'],
  ['ECLIPSE', 'eclipse'],
  ['SUI', 'sui'],
  ['SPARK', 'spark'],
  ['TRON', 'tron'],
  ['APTOS', 'aptos'],
  ['TON', 'ton'],
];

describe('the namespace of a chain', () => {
  it('is known for each chain that there is', () => {
    expect(TOLD.map(([chain]) => chain).sort()).toEqual([...CHAINS.values].sort());
  });

  it.each(TOLD)('of %s is %s, and leads back', (chain, namespace) => {
    expect(namespaceOf(chain)).toBe(namespace);
    expect(namespaceOf(namespace)).toBe(namespace);
    // Two names of one chain: the first is of earlier days.
    const back = chain === 'ETH' ? 'EVM' : chain;
    expect([chainOf(namespace), chainOf(chain)]).toEqual([back, back]);
  });

  it('of something else is none', () => {
    expect(chainOf('eip156')).toBeNull();
    expect(chainOf('')).toBeNull();
  });
});
