import { describe, expect, it } from '@jest/globals';
import type { CustomNetwork } from '../custom-network.dto.js';
import { networkConfigurations, unknownNetworks, usesCustomNetworks } from './network-configuration.js';

const entry = (networkId: number, more: object = {}) => ({ networkId, chainName: 'Mine', enabled: true, ...more });
const chain = (name: string, ...networks: ReturnType<typeof entry>[]) => ({ name, enabled: true, networks });

const OWN: CustomNetwork = {
  id: '00000000-0000-7000-8000-000000000001',
  networkType: 'EVM',
  chainName: 'Ours',
  chainId: '31337',
  rpcUrl: 'https://rpc.example.com',
  blockExplorerUrl: 'https://explorer.example.com',
  iconUrl: 'https://example.com/icon.svg',
  nativeCurrencyName: 'Ether',
  nativeCurrencySymbol: 'ETH',
  nativeCurrencyIconUrl: 'https://example.com/ether.svg',
  nativeCurrencyDecimals: 18,
};

describe('the configuration of networks', () => {
  it('tells the enabled networks of enabled chains, by chain', () => {
    const told = networkConfigurations(
      [
        chain('EVM', entry(1), entry(10, { enabled: false })),
        { ...chain('SOL', entry(101)), enabled: false },
        { name: 'BTC', enabled: true },
      ],
      [],
    );
    expect(told).toEqual([
      {
        chainName: 'evm',
        networks: [
          expect.objectContaining({ key: 'eip155:1', name: 'Ethereum', networkId: '1', chainId: '1', chain: 'EVM' }),
        ],
      },
    ]);
  });

  it('tells where names are looked up, where there is a registry', () => {
    const [told] = networkConfigurations([chain('EVM', entry(1), entry(10), entry(11_155_111))], []);
    const registry = { registry: '0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e' };
    expect(told!.networks!.map(({ networkId, nameService }) => [networkId, nameService])).toEqual([
      ['1', registry],
      ['10', undefined],
      ['11155111', registry],
    ]);
  });

  it('takes name, icon and a preferred node from the settings', () => {
    const [told] = networkConfigurations([chain('EVM', entry(1, { rpcUrl: 'https://a', iconUrl: 'https://b' }))], []);
    expect(told!.networks![0]).toMatchObject({
      name: 'Ethereum',
      vanityName: 'Mine',
      privateCustomerRpcUrls: ['https://a'],
      rpcUrls: ['https://ethereum-rpc.publicnode.com'],
      iconUrls: ['https://b'],
    });
  });

  it('finds a custom network by its number where the settings call it custom, and never without', () => {
    const custom = entry(31_337, { type: 'custom' });
    const [told] = networkConfigurations([chain('EVM', custom)], [OWN]);
    expect(told!.networks).toEqual([
      {
        key: 'eip155:31337',
        name: 'Ours',
        chainName: 'Ours',
        shortName: 'Ours',
        vanityName: 'Mine',
        chain: 'EVM',
        chainId: '31337',
        networkId: '31337',
        iconUrls: ['https://example.com/icon.svg'],
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18, iconUrl: 'https://example.com/ether.svg' },
        rpcUrls: ['https://rpc.example.com'],
        blockExplorerUrls: ['https://explorer.example.com'],
      },
    ]);
    expect(networkConfigurations([chain('EVM', entry(31_337))], [OWN])).toEqual([]);
    expect(networkConfigurations([chain('SOL', custom)], [OWN])).toEqual([]);
    expect(networkConfigurations([chain('EVM', custom)], [])).toEqual([]);
  });

  it('takes ETH for another name of EVM', () => {
    const custom = entry(31_337, { type: 'custom' });
    expect(networkConfigurations([chain('EVM', custom)], [{ ...OWN, networkType: 'ETH' }])).toHaveLength(1);
  });

  it('lets the organization replace a network of the catalogue', () => {
    const [told] = networkConfigurations([chain('EVM', entry(1, { type: 'custom' }))], [{ ...OWN, chainId: '1' }]);
    expect(told!.networks![0]).toMatchObject({ name: 'Ours', rpcUrls: ['https://rpc.example.com'] });
  });

  it('knows the enabled networks that nobody is told of', () => {
    const chains = [chain('EVM', entry(1), entry(424_242), entry(7, { type: 'custom' }), entry(8, { enabled: false }))];
    const unknown = [{ chain: 'EVM', networkId: 424_242 }];
    expect(unknownNetworks([...chains, { ...chain('SOL', entry(9)), enabled: false }])).toEqual(unknown);
    expect(unknownNetworks([chain('Nowhere', entry(1))])).toEqual([{ chain: 'Nowhere', networkId: 1 }]);
  });

  it('needs the custom networks only when an enabled entry names one', () => {
    const custom = entry(1, { type: 'custom' });
    expect(usesCustomNetworks([chain('EVM', custom)])).toBe(true);
    expect(usesCustomNetworks([chain('EVM', { ...custom, enabled: false })])).toBe(false);
    expect(
      usesCustomNetworks([
        { ...chain('EVM', custom), enabled: false },
        { name: 'BTC', enabled: true },
      ]),
    ).toBe(false);
  });
});
