import { describe, expect, it } from '@jest/globals';
import { CHAINS, type Chain } from './chains.js';
import { chainOfName, clientChainName } from './client-chain-name.js';

/** What clients call a chain in the configuration of networks and in paths; they throw on any other name. */
const TOLD: [Chain, string][] = [
  ['ETH', 'evm'],
  ['EVM', 'evm'],
  ['FLOW', 'flow'],
  ['SOL', 'solana'],
  ['ALGO', 'algo'],
  ['STARK', 'starknet'],
  ['COSMOS', 'cosmos'],
  ['BTC', 'bitcoin'],
  ['ECLIPSE', 'eclipse'],
  ['SUI', 'sui'],
  ['SPARK', 'spark'],
  ['TRON', 'tron'],
  ['APTOS', 'aptos'],
  ['TON', 'ton'],
];

describe('the name that clients know a chain by', () => {
  it('is there for each chain', () => {
    expect(TOLD.map(([chain]) => chain).sort()).toEqual([...CHAINS.values].sort());
  });

  it.each(TOLD)('is, for %s, %s', (chain, name) => {
    expect(clientChainName(chain)).toBe(name);
  });

  it.each(TOLD)('names, like %s itself, the chain in a request: %s', (chain, name) => {
    expect(chainOfName(chain)).toBe(chain);
    expect(chainOfName(name)).toBe(chain === 'ETH' ? 'EVM' : chain);
  });

  it('leaves any other name as it is', () => {
    expect(['toString', 'Evm', ''].map(chainOfName)).toEqual(['toString', 'Evm', '']);
  });
});
