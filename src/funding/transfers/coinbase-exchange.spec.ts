import { expect, it } from '@jest/globals';
import type { VendorClient, VendorQuestion } from '../../networks/index.js';
import type { ProviderAddresses } from '../../providers/index.js';
import { CoinbaseExchange } from './coinbase-exchange.js';

it('reads all pages of accounts within the time of one question', async () => {
  const asked: (number | undefined)[] = [];
  let deadlines = 0;
  const vendors = {
    deadline: () => (deadlines += 1_000),
    json: async <T>({ until }: VendorQuestion, read: (value: unknown) => T) => {
      const next_uri = asked.push(until) < 4 ? `/v2/accounts?after=${asked.length}` : null;
      return read({ data: [], pagination: { next_uri } });
    },
  } as Partial<VendorClient> as VendorClient;
  const addresses = { of: () => ({}) } as Partial<ProviderAddresses> as ProviderAddresses;
  const exchange = new CoinbaseExchange(vendors, addresses);
  await exchange.accounts({ credentialId: 'c', accessToken: 't' });
  expect(asked).toEqual([1_000, 1_000, 1_000, 1_000]);
});
