import { describe, expect, it } from '@jest/globals';
import { enabledNetworks, mainNetworks, networkOf } from './message-networks.js';

const network = (networkId: number, enabled = true) => ({ networkId, chainName: 'n', enabled });

describe('the network of a message', () => {
  it('is one that the settings enable, of a chain that they enable', () => {
    const chains = [
      { name: 'EVM', enabled: true, networks: [network(1), network(10, false)] },
      { name: 'SOL', enabled: false, networks: [network(101)] },
      { name: 'BTC', enabled: true },
    ];
    expect(enabledNetworks(chains, 'EVM')).toEqual([1]);
    expect(enabledNetworks(chains, 'ETH')).toEqual([1]);
    expect(enabledNetworks(chains, 'SOL')).toBeNull();
    expect(enabledNetworks(chains, 'BTC')).toEqual([]);
    expect(enabledNetworks(chains, 'SUI')).toBeNull();
  });

  it.each([
    '101',
    'mainnet',
    'solana:mainnet',
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  ])('of Solana may be written %s, as CAIP-2 and the wallet standard have it', (text) => {
    expect(networkOf('SOL', text, [101, 103])).toBe(101);
  });

  it.each(['01', '1.0', '0x1', 'eip155:1', 'mainnet', '10', ''])('of EVM is not written %p', (text) => {
    expect(networkOf('EVM', text, [1])).toBeNull();
  });

  it('that is not enabled is none', () => {
    expect(networkOf('SOL', 'devnet', [101])).toBeNull();
    expect(networkOf('SOL', 'devnet', [101, 103])).toBe(103);
  });

  it('of a chain without networks in the settings is a main one', () => {
    expect(networkOf('BTC', 'mainnet', mainNetworks('BTC'))).toBe(1);
    expect(networkOf('SUI', 'sui:mainnet', mainNetworks('SUI'))).not.toBeNull();
    expect(networkOf('SUI', 'testnet', mainNetworks('SUI'))).toBeNull();
  });
});
