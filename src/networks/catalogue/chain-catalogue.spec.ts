import { describe, expect, it } from '@jest/globals';
import type { Chain } from 'viem';
import * as published from 'viem/chains';
import { EgressPolicy } from '../../outbound/index.js';
import { CATALOGUE, findCatalogued } from './chain-catalogue.js';

const repeated = (texts: readonly string[]): string[] => texts.filter((text, at) => texts.indexOf(text) !== at);

describe('the catalogue of networks', () => {
  it('names each network by a CAIP-2 id of its own', () => {
    const ids = CATALOGUE.map(({ caip2 }) => caip2);
    expect(ids.filter((id) => !/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/.test(id))).toEqual([]);
    expect(repeated(ids)).toEqual([]);
  });

  it('has one network for each number of a chain', () => {
    expect(repeated(CATALOGUE.map(({ chain, networkId }) => `${chain} ${networkId}`))).toEqual([]);
    expect(findCatalogued('EVM', 1)).toMatchObject({ caip2: 'eip155:1', name: 'Ethereum' });
    expect(findCatalogued('SOL', 1)).toBeNull();
  });

  it('agrees with the published definitions of EVM chains', () => {
    const definitions = new Map<number, Chain>(Object.values(published).map((chain) => [chain.id, chain]));
    const ours = CATALOGUE.filter(({ chain }) => chain === 'EVM');
    expect(ours.length).toBeGreaterThan(20);
    for (const { networkId, name, currency, isTestnet } of ours) {
      const known = definitions.get(networkId)!;
      const { symbol, decimals } = known.nativeCurrency;
      expect({ networkId, name, symbol: currency.symbol, decimals: currency.decimals, isTestnet }).toEqual({
        networkId,
        name: known.name,
        symbol,
        decimals,
        isTestnet: known.testnet === true,
      });
    }
  });

  it('refers by the first 32 characters of the genesis hash where there is no other id', () => {
    const hashed = CATALOGUE.filter(({ genesisHash }) => genesisHash);
    expect(hashed.map(({ caip2 }) => caip2.split(':')[1])).toEqual(
      hashed.map(({ genesisHash }) => genesisHash!.slice(0, 32)),
    );
  });

  it('holds addresses that tenants could enter as well', () => {
    const policy = new EgressPolicy('', { allowHttp: false, allowIpLiterals: false });
    const urls = CATALOGUE.flatMap(({ rpcUrl, explorerUrl, lcdUrl }) => [rpcUrl, explorerUrl, lcdUrl ?? rpcUrl]);
    expect(urls.filter((url) => !policy.checkUrl(url).allowed)).toEqual([]);
  });
});
