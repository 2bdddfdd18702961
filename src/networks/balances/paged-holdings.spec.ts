import { describe, expect, it } from '@jest/globals';
import type { EnvironmentId } from '../../auth/index.js';
import { Config } from '../../config/index.js';
import type { VendorClient, VendorQuestion } from '../sources/vendor-client.js';
import type { EvmHoldings } from './evm-holdings.js';
import type { HoldingsQuestion } from './holding.js';
import { IndexedHoldings } from './indexed-holdings.js';
import { SuiHoldings } from './sui-holdings.js';

/** A vendor that is asked in a test: each question's `until`, where every deadline that it gives is another one. */
function vendorThat(answers: (method: string) => unknown) {
  const asked: (number | undefined)[] = [];
  let deadlines = 0;
  const vendors = {
    deadline: () => (deadlines += 1_000),
    json: async <T>({ until, body = '' }: VendorQuestion, read: (value: unknown) => T) => {
      asked.push(until);
      return read(answers((JSON.parse(body) as { method: string }).method));
    },
  } as Partial<VendorClient> as VendorClient;
  return { asked, vendors };
}

const questionOn = (network: Partial<HoldingsQuestion['network']>): HoldingsQuestion => ({
  ...{ environmentId: 'e' as EnvironmentId, account: '0x07', contracts: [], fresh: false },
  network: network as HoldingsQuestion['network'],
});

describe('a question about holdings', () => {
  it('to an indexer has one time for all its pages', async () => {
    const { asked, vendors } = vendorThat(() => ({ result: { tokenBalances: [], pageKey: 'more' } }));
    const config = Config.load({ CHAIN_INDEXERS: '{"eip155:1":{"balances":"https://indexer.example.com"}}' });
    const chain = { read: async () => [] } as Partial<EvmHoldings> as EvmHoldings;
    const holdings = new IndexedHoldings(config, vendors, chain);
    await holdings.read(questionOn({ caip2: 'eip155:1' }));
    expect(asked).toEqual([1_000, 1_000, 1_000, 1_000, 1_000]);
    await holdings.read(questionOn({ caip2: 'eip155:1' }));
    expect(asked.slice(5)).toEqual([2_000, 2_000, 2_000, 2_000, 2_000]);
  });

  it('to a Sui node has one time for balances and for what the coins say of themselves', async () => {
    const coins = ['0x1::a::A', '0x1::b::B'].map((coinType) => ({ coinType, totalBalance: '1' }));
    const { asked, vendors } = vendorThat((method) => ({ result: method === 'suix_getAllBalances' ? coins : null }));
    await new SuiHoldings(vendors).read(questionOn({ family: 'sui', urls: ['https://sui.example.com'] }));
    expect(asked).toEqual([1_000, 1_000, 1_000]);
  });
});
